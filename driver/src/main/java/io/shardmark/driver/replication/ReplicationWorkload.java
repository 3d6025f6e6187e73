package io.shardmark.driver.replication;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Inserts and deletes on a primary, with a commit every so many, and its standby. */
final class ReplicationWorkload implements Workload {
  private final RunConfig run;
  private final TableLayout layout;
  private final OperationMix<Operation> mix;
  private final StandbySettings standby;
  private final Optional<Deal> deal;
  private final List<Lane> lanes = new ArrayList<>();
  private int deletable;

  ReplicationWorkload(Settings settings) {
    run = settings.run();
    layout = TableLayout.of(settings.values());
    mix =
        OperationMix.of(
            settings.values(), ReplicationKey.OPERATIONS, layout.statements(), Operation.class);
    standby = StandbySettings.of(settings.values());
    deal = Deal.of(settings.values(), layout, run, mix.isOnly(Operation.INSERT));
    if (run.allTerminals() > TableLayout.LANES) {
      throw settings
          .values()
          .bad(
              PropertyKey.TERMINALS,
              "at most %d with workload=replication".formatted(TableLayout.LANES));
    }
  }

  @Override
  public List<TransactionType> types() {
    return mix.types();
  }

  /** The publication counts statements. */
  @Override
  public List<MetricRule> metrics() {
    List<MetricRule> metrics = new ArrayList<>(mix.metrics());
    metrics.addAll(ReplicationFigures.METRICS);
    return metrics;
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    Positions positions = new Positions(layout);
    positions.read(connection);
    for (int lane = 0; lane < TableLayout.LANES; lane++) {
      lanes.add(
          new Lane(
              lane, layout.tableOf(lane), positions.nextOffset(lane), positions.inserted(lane)));
    }
    try (Statement statement = connection.createStatement()) {
      for (int table = 0; table < layout.tables(); table++) {
        requireSameGroups(statement, TableLayout.name(table));
        if (!mix.isOnly(Operation.INSERT)) {
          readGroups(statement, TableLayout.name(table));
        }
      }
    }
    connection.rollback();
    requireEnoughRows();
  }

  private void requireSameGroups(Statement statement, String table) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT count(*), max(octet_length(c4)) FROM %1$s
             WHERE c1 BETWEEN (SELECT min(c1) FROM %1$s) AND (SELECT min(c1) FROM %1$s) + 100000
               AND c3 = (SELECT c3 FROM %1$s ORDER BY c1 LIMIT 1)
            """
                .formatted(table))) {
      row.next();
      int found = row.getInt(1);
      if (found > 0 && found != layout.statements()) {
        throw new ConfigException(
            "statementsPerCommit=%d does not fit the table %s, whose rows came %d at a time: set statementsPerCommit=%d, or destroy and build"
                .formatted(layout.statements(), table, found, found));
      }
      if (found > 0 && row.getInt(2) != layout.width()) {
        throw new ConfigException(
            "textWidth=%d does not fit the table %s, whose texts are %d wide: set textWidth=%d, or destroy and build"
                .formatted(layout.width(), table, row.getInt(2), row.getInt(2)));
      }
    }
  }

  private void readGroups(Statement statement, String table) throws SQLException {
    try (ResultSet first =
        statement.executeQuery("SELECT c1 FROM " + table + " WHERE c1 = c3 ORDER BY c1")) {
      while (first.next()) {
        Lane lane = lanes.get(TableLayout.laneOf(first.getInt(1)));
        deletable += lane.hasRows() ? 1 : 0;
        lane.add(first.getInt(1));
      }
    }
  }

  /** What can be known before the run; a terminal without rows ends it. */
  private void requireEnoughRows() {
    if (mix.surplus(Operation.DELETE, Operation.INSERT) <= 0) {
      return; // a terminal without rows inserts some
    }
    int terminals = run.allTerminals();
    for (int terminal = 0; terminal < terminals; terminal++) {
      if (lanesOf(terminal).stream().noneMatch(Lane::hasRowsToDelete)) {
        throw new ConfigException(
            "the tables have too few rows to delete: expected at least %d in each, 2 transactions in each of %d parts"
                .formatted(
                    2 * layout.statements() * layout.lanesOf(0),
                    TableLayout.LANES / layout.tables()));
      }
    }
    double deleted =
        mix.surplus(Operation.DELETE, Operation.INSERT) * run.transactionsPerTerminal() * terminals;
    if (deleted > deletable) {
      throw new ConfigException(
          "the tables have %d rows to delete and the run deletes about %.0f: expected fewer transactions, or destroy and build with more rows"
              .formatted((long) deletable * layout.statements(), deleted * layout.statements()));
    }
  }

  @Override
  public void prepareWithoutDatabase() {
    for (int lane = 0; lane < TableLayout.LANES; lane++) {
      lanes.add(new Lane(lane, layout.tableOf(lane), 0, 0));
    }
  }

  @Override
  public Optional<Follower> follower(Endpoints endpoints) throws SQLException {
    return Optional.of(new StandbyCheck(endpoints, layout, standby).followerOfReadyStandby());
  }

  /** As long as tables have enough lanes, some of each table. */
  private List<Lane> lanesOf(int terminal) {
    return IntStream.range(0, TableLayout.LANES)
        .filter(lane -> layout.placeOf(lane) % run.allTerminals() == terminal)
        .mapToObj(lanes::get)
        .toList();
  }

  /** What the primary has acknowledged of a lane, loaded rows among it. */
  int acknowledged(int lane) {
    return lanes.get(lane).inserted();
  }

  @Override
  public Terminal newTerminal(int index) {
    return new ReplicationTerminal(
        mix,
        layout.statements(),
        TerminalRandom.of(run, index),
        lanesOf(run.firstTerminal() + index),
        deal);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return new ReplicationStatements(connection, layout, mix, standby.commit());
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("statements per commit", Integer.toString(layout.statements()));
    facts.put(
        "COMMIT waits for the standby",
        standby.commit().waits() ? standby.commit().toString() : "no");
    return facts;
  }
}
