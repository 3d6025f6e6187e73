package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.ShardRoute;
import io.shardmark.driver.verify.VerifyTable;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

  /** Statement by statement, on each shard of a proxy about its rows: each may be repeated. */
  private static void reset(Database database, List<String> statements) throws SQLException {
    List<Shard> shards =
        database.shardMap().filter(ShardMap::isOfProxy).map(ShardMap::shards).orElse(List.of());
    long start = System.nanoTime();
    long rows = 0;
    if (shards.isEmpty()) {
      try (Connection connection = database.connections().open()) {
        rows = execute(connection, statements);
        if (database.config().database() == DatabaseKind.POSTGRES) {
          execute(connection, List.of("VACUUM ANALYZE")); // room for the next run's rows
        }
      }
    }
    for (Shard shard : shards) {
      try (Connection connection = ShardRoute.open(database.connections()::open, shard)) {
        rows += execute(connection, statements);
      }
    }
    System.out.printf(
        "Put %,d rows back or away in %.1f s%n", rows, (System.nanoTime() - start) / 1e9);
  }

  private static long execute(Connection connection, List<String> statements) throws SQLException {
    long rows = 0;
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        rows += Math.max(0, statement.executeUpdate(sql));
      }
    }
    return rows;
  }
}
