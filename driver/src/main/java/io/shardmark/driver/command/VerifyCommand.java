package io.shardmark.driver.command;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.ShardedVerifier;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.driver.verify.VerifyTable;
import io.shardmark.sql.dialect.MissingTable;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verify}: the consistency conditions of TPC-C 3.3.2 over the whole database. */
@Command(
    name = "verify",
    description = "Checks the twelve consistency conditions of TPC-C 3.3.2 and the population.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_CONNECTIONS = 4;

  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    return DatabaseCommand.with(
        arguments.read(),
        MOST_CONNECTIONS,
        database -> {
          requireLoad(database);
          return verify(database);
        });
  }

  /** One line instead of an error for each condition. */
  private static void requireLoad(Database database) {
    try (Connection connection = database.connections().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM bmsql_config")) {
      rows.next();
    } catch (SQLException e) {
      throw new ConfigException(
          "there is nothing to verify, bmsql_config cannot be read: %s%s"
              .formatted(
                  String.valueOf(e.getMessage())
                      .lines()
                      .findFirst()
                      .orElse("no message")
                      .replaceFirst("^ERROR: ", ""),
                  MissingTable.isCauseOf(e)
                      ? "; build makes and loads the tables: java -jar driver.jar build PROPS"
                      : ""));
    }
  }

  /** Checks a database, prints the table of conditions, and returns the exit status. */
  static int verify(Database database) throws SQLException, InterruptedException {
    List<Shard> shards = database.shardMap().map(ShardMap::shards).orElse(List.of());
    List<ConditionResult> results =
        shards.size() > 1
            ? new ShardedVerifier(database.connections()::open, shards, MOST_CONNECTIONS).run()
            : new Verifier(
                    database.connections()::open, database.config().database(), MOST_CONNECTIONS)
                .run();
    VerifyTable.print(results, System.out);
    return VerifyTable.exitStatus(results);
  }
}
