package io.shardmark.driver.run;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.inventory.GuaranteeReader;
import io.shardmark.driver.inventory.Inventory;
import io.shardmark.driver.measure.StatementTimes;
import io.shardmark.driver.processes.ServerProcesses;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.terminal.NullSessions;
import io.shardmark.driver.terminal.PooledSessions;
import io.shardmark.driver.terminal.SessionSource;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.sql.dialect.MissingTable;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.PoolConfig;
import io.shardmark.sql.jdbc.Pooler;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The database as one run sees it, asked once before the terminals start.
 *
 * @param database null if it is the one that answers at once
 * @param facts product, version, driver
 * @param isolation level of the transactions
 * @param shards where the rows are; empty for one server
 * @param follower observes other endpoints, if the workload has any
 */
record RunDatabase(
    Workload workload,
    RunConfig config,
    @Nullable Database database,
    Map<String, String> facts,
    String isolation,
    Optional<ShardMap> shards,
    List<ServerProcesses.ProcessNode> nodes,
    Optional<Follower> follower) {
  /** Not every user may read how nodes connect to each other. */
  private static final String CITUS_FACTS =
      "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'),"
          + " (SELECT max(parts) FROM (SELECT count(*) AS parts FROM pg_dist_shard s"
          + " JOIN pg_dist_partition d ON d.logicalrelid = s.logicalrelid"
          + " WHERE d.partmethod = 'h' GROUP BY s.logicalrelid) of_table),"
          + " (SELECT setting FROM pg_settings WHERE name = 'citus.node_conninfo')";

  /** A node that is suspended keeps the coordinator waiting for 30 s otherwise. */
  private static final String CITUS_PATIENCE = "SET LOCAL citus.node_connection_timeout = 1000";

  /** Less than after which a main thread that waits is taken for one that hangs. */
  private static final int NODES_SECONDS = 8;

  private static final String CITUS_NODES_LOST =
      "SELECT string_agg(nodename || ':' || nodeport, ', ' ORDER BY groupid)"
          + " FROM pg_dist_node WHERE noderole = 'primary' AND isactive"
          + " AND NOT citus_check_connection_to_node(nodename, nodeport)";

  private static final String KEYS_MISSING =
      "keys and indexes that a build makes are missing: %s; build goes on where it stopped: java -jar driver.jar build PROPS";

  private static final String LOCAL_TABLES =
      "this is a Citus coordinator, and no table %s... is distributed: the run measures the"
          + " coordinator alone; destroy and build distribute them, unless a tableCreates.sql of"
          + " your own does not";

  private static final String POOLED =
      "a connection pooler is between driver and server (another server process answers than the"
          + " login named): settings of a session, such as those of statementTimeoutSecs and"
          + " isolation, need not last and may reach other clients; where statements fail with"
          + " 42P05 or 26000, "
          + RunAnnouncement.PREPARE_NOTHING;

  /**
   * Reads what the load left, and prepares the statements once so that what is missing shows before
   * the run starts.
   *
   * @param scopes what is the benchmark's in the database, by what spreads it over servers
   * @param warn receives one line if the run measures something else than its user may think
   * @throws ConfigException if the database cannot be reached, or its data does not fit the run
   */
  static RunDatabase prepare(
      Workload workload,
      RunConfig config,
      @Nullable Database database,
      Function<Optional<Sharding>, Inventory.InventoryScope> scopes,
      Consumer<String> warn) {
    if (database == null) {
      workload.prepareWithoutDatabase();
      return new RunDatabase(
          workload,
          config,
          null,
          Map.of("product", "none (conn=null:)"),
          "none",
          Optional.empty(),
          List.of(),
          Optional.empty());
    }
    try (Connection connection = database.connections().open()) {
      Optional<ShardMap> shards = database.shardMap();
      Inventory.InventoryScope scope = scopes.apply(shards.map(ShardMap::sharding));
      boolean local = shards.isPresent() && isLocalOnCitus(shards.get(), scope.tablePrefix());
      if (local) {
        shards = Optional.empty();
      }
      if (shards.isEmpty() && Pooler.isBetween(connection)) {
        warn.accept(POOLED);
      }
      connection.setAutoCommit(false);
      workload.prepare(connection);
      if (local) { // and there are tables
        warn.accept(LOCAL_TABLES.formatted(scope.tablePrefix()));
      }
      if (shards.isPresent()) {
        workload.spreadOver(shards.get());
      }
      workload.newExecutor(connection);
      connection.setAutoCommit(false);
      connection.rollback();
      Map<String, String> facts = facts(connection, shards, database.config().database(), scope);
      if (facts.containsKey(SystemFacts.KEYS_MISSING)) {
        warn.accept(KEYS_MISSING.formatted(facts.get(SystemFacts.KEYS_MISSING)));
      }
      return new RunDatabase(
          workload,
          config,
          database,
          facts,
          GuaranteeReader.isolation(connection),
          shards,
          DatabaseNodes.of(database.config(), shards, connection),
          workload.follower(database.endpoints()));
    } catch (SQLException e) {
      if (MissingTable.isCauseOf(e)) {
        throw new ConfigException(
            "the database has no tables of the benchmark (%s); build makes and loads them: java -jar driver.jar build PROPS"
                .formatted(FirstLine.of(e).replaceFirst("^ERROR: ", "")));
      }
      throw new ConfigException(
          "the database is not ready for a run: %s".formatted(FirstLine.of(e)));
    }
  }

  /** Tables that nobody distributed are on the coordinator, whatever workers there are. */
  private static boolean isLocalOnCitus(ShardMap map, String tablePrefix) {
    return map.sharding() == Sharding.CITUS
        && map.tables().keySet().stream().noneMatch(table -> table.startsWith(tablePrefix));
  }

  /** What the server and its JDBC driver say about themselves. */
  private static Map<String, String> facts(
      Connection connection,
      Optional<ShardMap> shards,
      DatabaseKind kind,
      Inventory.InventoryScope scope)
      throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", meta.getDatabaseProductName());
    // Oracle's version has several lines.
    facts.put("version", meta.getDatabaseProductVersion().lines().findFirst().orElse(""));
    facts.put("jdbcDriver", meta.getDriverName() + " " + meta.getDriverVersion());
    boolean citus = shards.isPresent() && shards.get().sharding() == Sharding.CITUS;
    if (citus) {
      addCitus(connection, shards.get(), facts);
    }
    facts.putAll(
        shards.isPresent() && !citus
            ? Inventory.readOverServers(connection, scope)
            : Inventory.read(connection, kind, scope));
    facts.putAll(GuaranteeReader.read(connection, kind, shards, scope.tablePrefix()));
    return facts;
  }

  private static void addCitus(Connection connection, ShardMap map, Map<String, String> facts)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CITUS_FACTS)) {
      row.next();
      facts.put("citus", row.getString(1));
      facts.put("citusNodes", Integer.toString(map.shards().size()));
      facts.put("citusShardsOfTable", row.getString(2));
      String tls = row.getString(3);
      facts.put("citusNodeConnections", tls == null ? "not readable" : tls);
    }
  }

  /** The facts, with the nodes of Citus that do not answer their coordinator now. */
  Map<String, String> factsAtEnd() {
    Database cluster = database;
    return cluster == null || !facts.containsKey("citus")
        ? facts
        : CompletableFuture.supplyAsync(() -> withLostNodes(cluster))
            .completeOnTimeout(facts, NODES_SECONDS, TimeUnit.SECONDS)
            .join();
  }

  private Map<String, String> withLostNodes(Database cluster) {
    Map<String, String> atEnd = new LinkedHashMap<>(facts);
    try (Connection connection = cluster.connections().open();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(CITUS_PATIENCE);
      String lost = FirstValue.text(connection, CITUS_NODES_LOST);
      connection.rollback();
      if (!lost.isEmpty()) {
        atEnd.put(SystemFacts.NODES_LOST, lost);
      }
    } catch (SQLException | ConfigException e) {
      return facts; // the coordinator is lost too, as its transactions say
    }
    return atEnd;
  }

  /**
   * Opens all connections of the run.
   *
   * @param times of each statement, if they are wanted
   */
  SessionSource openSessions(Optional<StatementTimes> times) {
    if (database == null) {
      return new NullSessions(workload.nullExecutor());
    }
    PoolConfig pool =
        new PoolConfig(
            "terminals",
            TerminalRun.workerCount(workload, config),
            database.config().connectTimeout());
    PooledSessions.Executors prepare = workload::newExecutor;
    return new PooledSessions(
        database.terminalConnections().pool(pool), times.map(prepare::timed).orElse(prepare));
  }
}
