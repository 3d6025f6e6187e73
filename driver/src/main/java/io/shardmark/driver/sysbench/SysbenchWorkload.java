package io.shardmark.driver.sysbench;

import io.shardmark.config.ConfigException;
import io.shardmark.config.KeyType;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** One of sysbench's OLTP tests. */
final class SysbenchWorkload implements Workload {
  private final RunConfig run;
  private final SysbenchTest test;
  private final SysbenchTables tables;
  private final Operations operations;
  private final KeyDistribution keys;
  private final KeyDistribution.Name keysName;
  private final TransactionType type;
  private List<TablePlacement> placements = List.of();

  SysbenchWorkload(Settings settings) {
    run = settings.run();
    test = test(settings.values());
    tables = SysbenchTables.of(settings.values());
    operations = operations(settings.values());
    keys = KeyDistribution.of(settings.values(), tables.size());
    keysName = settings.values().constant(SysbenchKey.RAND_TYPE, KeyDistribution.Name.class);
    type = TransactionType.unpaced(0, test.name(), operations.queries());
  }

  private static SysbenchTest test(PropertyReader values) {
    return values.constant(SysbenchKey.TEST, SysbenchTest.class);
  }

  /**
   * @throws io.shardmark.config.ConfigException if there is nothing to do
   */
  static Operations operations(PropertyReader values) {
    Operations operations = test(values).operations(values);
    if (operations.statements().isEmpty()) {
      throw values.bad(
          SysbenchKey.TEST, "a test with something to do: all of its statements are 0 times");
    }
    return operations;
  }

  @Override
  public List<TransactionType> types() {
    return List.of(type);
  }

  @Override
  public List<MetricRule> metrics() {
    return List.of(
        MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
        MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND));
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    tables.requireTables(connection);
  }

  @Override
  public void spreadOver(ShardMap map) {
    if (map.shards().size() > 1) {
      if (test == SysbenchTest.OLTP_INSERT) {
        throw new ConfigException(
            "sysbenchTest=oltp_insert: the server's sequence numbers its rows, and none reaches over %d shards; expected another test"
                .formatted(map.shards().size()));
      }
      placements =
          IntStream.rangeClosed(1, tables.count())
              .mapToObj(table -> map.requireTable("sbtest" + table, "id"))
              .toList();
    }
  }

  @Override
  public Terminal newTerminal(int index) {
    return new SysbenchTerminal(
        type,
        new SysbenchTerminal.Load(operations, tables.count(), keys),
        placements,
        TerminalRandom.of(run, index));
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return new SysbenchStatements(connection, operations, tables);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("test", KeyType.spelled(test));
    facts.put("tables", Integer.toString(tables.count()));
    facts.put("tableSize", Integer.toString(tables.size()));
    facts.put("keys", KeyType.spelled(keysName));
    return facts;
  }
}
