package io.shardmark.driver.isolation;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.inventory.GuaranteeReader;
import io.shardmark.driver.isolation.ListTransaction.Access;
import io.shardmark.driver.isolation.ListTransaction.Action;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The transactions of {@code workload=isolation} and their history. */
final class IsolationWorkload implements Workload {
  /** Lists that have values. */
  private static final String CONTENTS = "SELECT id, vals FROM isolation_list WHERE vals <> ''";

  private static final String LOCKED = "SELECT id FROM isolation_list WHERE id = ? FOR UPDATE";

  /** What a server that has crashed may take until it commits what it had prepared. */
  private static final int MOST_LOCKED_SECONDS = 60;

  private final Settings settings;
  private final int lists;
  private final int listsInUse;
  private final int appendsPerList;
  private final int mostTransactions;
  private final HistoryRecorder recorder = new HistoryRecorder();
  private Optional<ShardMap> shards = Optional.empty();
  private Optional<HistoryFollower> follower = Optional.empty();

  IsolationWorkload(Settings settings) {
    this.settings = settings;
    lists = settings.values().integer(IsolationKey.LISTS);
    listsInUse = settings.values().integer(IsolationKey.LISTS_IN_USE);
    appendsPerList = settings.values().integer(IsolationKey.APPENDS_PER_LIST);
    mostTransactions = settings.values().integer(IsolationKey.HISTORY_TRANSACTIONS);
    if (listsInUse > lists) {
      throw settings.values().bad(IsolationKey.LISTS_IN_USE, "at most lists=" + lists);
    }
    if (settings.values().integer(PropertyKey.DRIVERS) > 1) {
      throw settings
          .values()
          .bad(PropertyKey.DRIVERS, "1 with workload=isolation, whose history is in one driver");
    }
  }

  @Override
  public List<TransactionType> types() {
    return ListType.types();
  }

  @Override
  public List<MetricRule> metrics() {
    return List.of(
        MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
        MetricRule.observed(HistoryFollower.NOT_PERMITTED, "anomalies", false),
        MetricRule.observed(HistoryFollower.LOST_APPENDS, "appends", false));
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    long found = FirstValue.number(connection, "SELECT count(*) FROM isolation_list");
    if (found != lists) {
      throw new ConfigException(
          "lists=%d does not fit the table, which has %d: set lists=%2$d, or destroy and build"
              .formatted(lists, found));
    }
    recorder.begin(contents(connection));
  }

  static Map<Integer, List<Integer>> contents(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(CONTENTS)) {
      return HistoryRecorder.lists(query);
    }
  }

  /** Waits until no transaction holds the list, one of two phases for example. */
  static void awaitWriter(Connection connection, int list) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(LOCKED)) {
      query.setQueryTimeout(MOST_LOCKED_SECONDS);
      query.setInt(1, list);
      query.executeQuery().close();
    }
  }

  @Override
  public void spreadOver(ShardMap map) {
    if (map.shards().size() > 1) {
      map.requireTable(IsolationBenchmark.TABLE_NAME, "id");
      shards = Optional.of(map);
    }
  }

  @Override
  public Optional<Follower> follower(Endpoints endpoints) throws SQLException {
    try (Connection connection = endpoints.open()) {
      connection.setAutoCommit(false);
      Guarantees promised =
          GuaranteeReader.guarantees(connection, settings.connection().database(), shards);
      return Optional.of(judged(promised, endpoints::open));
    }
  }

  /**
   * What checks the history of this run.
   *
   * @param promised what of it is permitted
   */
  HistoryFollower judged(Guarantees promised, ConnectionSource connections) {
    HistoryFollower judge = new HistoryFollower(recorder, promised, connections);
    follower = Optional.of(judge);
    return judge;
  }

  @Override
  public Terminal newTerminal(int index) {
    return new IsolationTerminal(this, TerminalRandom.of(settings.run(), index));
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return new IsolationExecutor(connection, recorder);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("lists", Integer.toString(lists));
    follower.ifPresent(one -> facts.putAll(one.found()));
    return facts;
  }

  int listsInUse() {
    return listsInUse;
  }

  /** The id of a list that is in use. */
  int list(int index) {
    return (recorder.appends() / appendsPerList + index) % lists + 1;
  }

  boolean goesOn() {
    return recorder.size() < mostTransactions;
  }

  boolean isDistributed(List<Access> accesses) {
    if (shards.isEmpty()) {
      return false;
    }
    TablePlacement placement = shards.get().requireTable(IsolationBenchmark.TABLE_NAME, "id");
    return accesses.stream()
            .filter(access -> access.action() == Action.APPEND)
            .map(access -> placement.shardOf(access.list()))
            .distinct()
            .count()
        > 1;
  }
}
