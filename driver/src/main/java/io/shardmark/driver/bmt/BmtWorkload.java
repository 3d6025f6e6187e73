package io.shardmark.driver.bmt;

import io.shardmark.config.ConfigException;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operations on single rows, with a commit every so many. */
final class BmtWorkload implements Workload {
  private final RunConfig run;
  private final OperationMix<BmtOperation> mix;
  private final int rows;
  private final int statements;
  private Optional<TablePlacement> placement = Optional.empty();

  /** Rows are in groups of one transaction; a group is known by its number, from 0. */
  private final List<Integer> groups = new ArrayList<>();

  BmtWorkload(Settings settings) {
    run = settings.run();
    rows = BmtKey.rows(settings.values());
    statements = settings.values().integer(BmtKey.STATEMENTS_PER_COMMIT);
    mix = OperationMix.of(settings.values(), BmtKey.OPERATIONS, statements, BmtOperation.class);
  }

  @Override
  public List<TransactionType> types() {
    return mix.types();
  }

  /** The publication counts statements. */
  @Override
  public List<MetricRule> metrics() {
    return mix.metrics();
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String order : List.of("c1", "c1 DESC")) {
        try (ResultSet row =
            statement.executeQuery("SELECT c9 FROM tb_test1 ORDER BY " + order + " LIMIT 1")) {
          if (row.next() && row.getInt(1) != statements) {
            throw new ConfigException(
                "statementsPerCommit=%d does not fit the table, whose rows came %d at a time: set statementsPerCommit=%d, or destroy and build"
                    .formatted(statements, row.getInt(1), row.getInt(1)));
          }
        }
      }
      try (ResultSet first =
          statement.executeQuery("SELECT c1 FROM tb_test1 WHERE c1 = c3 ORDER BY c1")) {
        while (first.next()) {
          groups.add((first.getInt(1) - 1) / statements);
        }
      }
    }
    connection.rollback();
    requireEnoughRows();
  }

  /** What can be known before the run; a terminal without rows ends it. */
  private void requireEnoughRows() {
    if (!mix.isOnly(BmtOperation.INSERT) && groups.size() < run.allTerminals()) {
      throw new ConfigException(
          "tb_test1 has %d rows: expected at least %d, statementsPerCommit for each of %d terminals"
              .formatted(
                  groups.size() * statements, run.allTerminals() * statements, run.allTerminals()));
    }
    double deleted =
        mix.surplus(BmtOperation.DELETE, BmtOperation.INSERT)
            * run.transactionsPerTerminal()
            * run.allTerminals();
    if (deleted > groups.size()) {
      throw new ConfigException(
          "tb_test1 has %d rows: the run deletes about %.0f: expected fewer transactions, or destroy and build with more rows"
              .formatted(groups.size() * statements, deleted * statements));
    }
  }

  @Override
  public void prepareWithoutDatabase() {
    for (int group = 0; group < Math.max(rows / statements, run.allTerminals()); group++) {
      groups.add(group);
    }
  }

  @Override
  public void spreadOver(ShardMap map) {
    if (map.shards().size() > 1) {
      placement = Optional.of(map.requireTable("tb_test1", "c1"));
    }
  }

  @Override
  public Terminal newTerminal(int index) {
    int number = run.firstTerminal() + index;
    List<Integer> own = new ArrayList<>();
    for (int i = number; i < groups.size(); i += run.allTerminals()) {
      own.add(groups.get(i));
    }
    int after = groups.isEmpty() ? 0 : groups.get(groups.size() - 1) + 1;
    return new BmtTerminal(
        mix,
        statements,
        TerminalRandom.of(run, index),
        new BmtTerminal.Groups(own, after + number, run.allTerminals()),
        placement);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return new BmtStatements(connection, statements, mix);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("rows at the start", Integer.toString(groups.size() * statements));
    facts.put("statements per commit", Integer.toString(statements));
    return facts;
  }
}
