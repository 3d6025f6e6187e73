package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.ShardRoute;
import io.shardmark.driver.verify.VerifyTable;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reset}: the tables as they were after the load, without another load. */
@Command(
    name = "reset",
    description = "Puts the tables back to the state after the load, and verifies that.")
final class ResetCommand implements Callable<Integer> {
  private static final int CONNECTIONS = 4;

  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    List<String> statements = Benchmarks.of(properties).reset(properties.values());
    if (statements.isEmpty()) {
      throw new ConfigException(
          "%s: workload=%s: it has no reset: expected destroy and build instead"
              .formatted(properties.source(), properties.workload()));
    }
    Conditions conditions = DatabaseVerbs.conditions(properties);
    return DatabaseVerbs.with(
        properties,
        CONNECTIONS,
        database -> {
          VerifyCommand.requireLoad(database, conditions.table());
          reset(database, statements);
          return VerifyTable.exitStatus(VerifyCommand.verify(database, conditions));
        });
  }

  private static void reset(Database database, List<String> statements) throws SQLException {
    List<String> all = new ArrayList<>(statements);
    if (database.config().database() == DatabaseKind.POSTGRES) {
      all.add("VACUUM ANALYZE"); // room for the next run's rows
    }
    long start = System.nanoTime();
    long rows = execute(database.connections()::open, database.proxyShards(), all);
    System.out.printf(
        "Put %,d rows back or away in %.1f s%n", rows, (System.nanoTime() - start) / 1e9);
  }

  /**
   * Statement by statement, each of which may be repeated.
   *
   * @param shards that have the rows, each about its own; none if the endpoint has them
   * @return the number of rows that were changed
   */
  static long execute(ConnectionSource endpoint, List<Shard> shards, List<String> statements)
      throws SQLException {
    long rows = 0;
    if (shards.isEmpty()) {
      rows = execute(endpoint, statements);
    }
    for (Shard shard : shards) {
      rows += execute(() -> ShardRoute.open(endpoint, shard), statements);
    }
    return rows;
  }

  private static long execute(ConnectionSource place, List<String> statements) throws SQLException {
    long rows = 0;
    try (Connection connection = place.open();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      for (String sql : statements) {
        rows += Math.max(0, statement.executeUpdate(sql));
      }
    }
    return rows;
  }
}
