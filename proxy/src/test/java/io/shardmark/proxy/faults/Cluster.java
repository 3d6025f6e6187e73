package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.Secret;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two real servers with half of a bank each, and the links by which a proxy reaches them. */
final class Cluster implements AutoCloseable {
  static final int ACCOUNTS = 64;
  static final int INITIAL_BALANCE = 1_000;

  private static final String USER = "bench";

  /** Of all clusters of this JVM, which come one after the other; they end with it. */
  private static final class Holder {
    static final List<EmbeddedServer> SERVERS = List.of(start(), start());

    private static EmbeddedServer start() {
      return EmbeddedServer.start(
          "embedded:postgres?fsync=off&set.scram_iterations=1&memory=256MB&set.max_prepared_transactions=100",
          USER,
          new Secret(USER),
          USER,
          100,
          line -> {});
    }
  }

  private final List<EmbeddedServer> servers = Holder.SERVERS;
  private final List<Relay> links = new ArrayList<>();
  private final Map<Integer, Connection> asking = new HashMap<>();

  Cluster(Trap trap) throws IOException, SQLException {
    for (int shard = 0; shard < 2; shard++) {
      EmbeddedServer server = servers.get(shard);
      makeAsNew(server);
      links.add(new Relay("s" + shard, server::port, trap));
      createBank(shard);
    }
  }

  /** Whatever the clusters before have done or left. */
  private static void makeAsNew(EmbeddedServer server) throws IOException, SQLException {
    if (!server.isRunning()) {
      server.restart();
    }
    administer(server, USER, "SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts");
    administer(
        server,
        "postgres",
        "SELECT 'DROP DATABASE bench WITH (FORCE)'",
        "SELECT format('DROP ROLE %I', rolname) FROM pg_roles"
            + " WHERE oid >= 16384 AND rolname <> 'bench'",
        "SELECT 'ALTER ROLE bench NOSUPERUSER PASSWORD ''bench'''",
        "SELECT 'CREATE DATABASE bench OWNER bench STRATEGY file_copy'");
  }

  /** Executes what these queries give, as superuser. */
  private static void administer(EmbeddedServer server, String database, String... queries)
      throws IOException, SQLException {
    String password = Files.readString(server.logFile().resolveSibling("administrator")).strip();
    try (Connection connection =
            DriverManager.getConnection(
                server.jdbcUrl(database), "shardmark_administrator", password);
        Statement statement = connection.createStatement()) {
      for (String query : queries) {
        for (String sql : ShardSql.texts(connection, query)) {
          statement.execute(sql);
        }
      }
    }
  }

  private void createBank(int shard) throws SQLException {
    String bounds = " FOR VALUES WITH (MODULUS 2, REMAINDER " + shard + ")";
    execute(
        shard,
        "CREATE TABLE account (id int PRIMARY KEY, balance bigint) PARTITION BY HASH (id);"
            + "CREATE TABLE transfer (id int, number int, amount int) PARTITION BY HASH (id);"
            + "CREATE TABLE account_part PARTITION OF account"
            + bounds
            + ";CREATE TABLE transfer_part PARTITION OF transfer"
            + bounds
            + ";INSERT INTO account SELECT id, "
            + INITIAL_BALANCE
            + " FROM generate_series(1, "
            + ACCOUNTS
            + ") id WHERE satisfies_hash_partition('account'::regclass, 2, "
            + shard
            + ", id)");
  }

  /** What follows {@code listen} in a proxy's configuration. */
  String proxyConfig() {
    StringBuilder yaml = new StringBuilder("shards:\n");
    for (Relay link : links) {
      yaml.append("  - {name: ")
          .append(link.name())
          .append(", host: 127.0.0.1, port: ")
          .append(link.port())
          .append(", database: bench}\n");
    }
    return yaml
        + """
        users:
          - {name: bench, password: bench}
        recovery_interval: 1s
        transport: nio
        event_loops: 1
        """;
  }

  List<Integer> accounts(int shard) throws SQLException {
    return query(shard, "SELECT id FROM account ORDER BY id").stream()
        .map(Integer::valueOf)
        .toList();
  }

  Relay link(int shard) {
    return links.get(shard);
  }

  /** SIGKILL. */
  void kill(int shard) {
    servers.get(shard).killHard();
  }

  void restart(int shard) {
    servers.get(shard).restart();
  }

  private Connection open(int shard) throws SQLException {
    return open(shard, USER);
  }

  /** Past the proxy; the password is the name. */
  Connection open(int shard, String user) throws SQLException {
    return DriverManager.getConnection(servers.get(shard).jdbcUrl(), user, user);
  }

  /** Makes the banks' owner, under whom the proxy works, a superuser. */
  void promote() throws IOException, SQLException {
    for (EmbeddedServer server : servers) {
      administer(server, USER, "SELECT 'ALTER ROLE bench SUPERUSER'");
    }
  }

  /** A transaction past the proxy, that has begun with this. */
  Connection begin(int shard, String sql) throws SQLException {
    Connection connection = open(shard);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return connection;
  }

  void execute(int shard, String sql) throws SQLException {
    try (Connection connection = open(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * The first column of all rows, as text, past the proxy. On a connection that is kept: those who
   * wait for something ask again and again.
   */
  List<String> query(int shard, String sql) throws SQLException {
    synchronized (asking) {
      Connection connection = asking.get(shard);
      if (connection == null || !connection.isValid(Await.LIMIT_SECONDS)) {
        connection = open(shard);
        asking.put(shard, connection);
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
          values.add(String.valueOf(rows.getString(1)));
        }
        return values;
      }
    }
  }

  /**
   * Waits until a server sleeps in that text, so that a cancel request reaches it: between Parse
   * and Execute it takes none, although it is active.
   */
  void awaitRunning(String sql) {
    Await.until("a server executes " + sql, () -> isRunning(sql));
  }

  private boolean isRunning(String sql) throws SQLException {
    String running =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = '%s'"
            .formatted(sql);
    for (int shard = 0; shard < servers.size(); shard++) {
      if (!query(shard, running).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** What holds whatever happened to single transfers, when none is under way. */
  void assertConserved() throws SQLException {
    long sum = 0;
    for (int shard = 0; shard < 2; shard++) {
      sum += Long.parseLong(query(shard, "SELECT sum(balance) FROM account").get(0));
      assertThat(
              query(
                  shard,
                  "SELECT id FROM account WHERE balance <> "
                      + INITIAL_BALANCE
                      + " + coalesce((SELECT sum(amount) FROM transfer t WHERE t.id = account.id),"
                      + " 0)"))
          .as("accounts of shard %d whose balance is not that of their transfers", shard)
          .isEmpty();
    }
    assertThat(sum).isEqualTo((long) ACCOUNTS * INITIAL_BALANCE);
    String numbers = "SELECT number FROM transfer ORDER BY number";
    assertThat(query(1, numbers)).as("transfers on both shards").isEqualTo(query(0, numbers));
    assertThat(prepared()).isEmpty();
  }

  List<String> prepared() throws SQLException {
    List<String> names = new ArrayList<>();
    for (int shard = 0; shard < servers.size(); shard++) {
      names.addAll(query(shard, "SELECT gid FROM pg_prepared_xacts"));
    }
    return names;
  }

  @Override
  public void close() {
    links.forEach(Relay::close);
  }
}
