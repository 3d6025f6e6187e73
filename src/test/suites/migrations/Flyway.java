/** Flyway's commands over a URL. */
public final class Flyway {
  public static void main(String[] arguments) {
    org.flywaydb.core.Flyway flyway =
        org.flywaydb.core.Flyway.configure()
            .dataSource(arguments[0], "bench", "bench")
            .schemas("flyway")
            .createSchemas(true)
            .locations("filesystem:" + arguments[1])
            .cleanDisabled(false)
            .load();
    require(flyway.migrate().migrationsExecuted == 3);
    require(flyway.migrate().migrationsExecuted == 0);
    flyway.validate();
    flyway.repair();
    flyway.clean();
    require(flyway.migrate().migrationsExecuted == 3);
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("another number of migrations");
    }
  }
}
