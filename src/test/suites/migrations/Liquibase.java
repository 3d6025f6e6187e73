import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import liquibase.Contexts;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;

/** Liquibase's commands over a URL. */
public final class Liquibase {
  public static void main(String[] arguments) throws Exception {
    for (int round = 0; round < 2; round++) {
      try (Connection connection = DriverManager.getConnection(arguments[0], "bench", "bench")) {
        liquibase.Liquibase liquibase =
            new liquibase.Liquibase(
                "changelog.xml",
                new DirectoryResourceAccessor(Path.of(arguments[1])),
                DatabaseFactory.getInstance()
                    .findCorrectDatabaseImplementation(new JdbcConnection(connection)));
        liquibase.update(new Contexts());
        liquibase.tag("round" + round);
        liquibase.validate();
        liquibase.rollback(3, "");
        liquibase.update(new Contexts());
        liquibase.clearCheckSums();
        liquibase.update(new Contexts());
      }
    }
  }
}
