package io.shardmark.proxy.faults;

import io.shardmark.config.Secret;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.growth.GrowthTables;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Two proxies over databases of some servers, which can be shards; all can be killed. */
final class GrowthCluster implements AutoCloseable {
  static final String USER = "bench";

  /** What is left on a shard by a move that is not over. */
  private static final String LEFT =
      "select pubname::text from pg_publication"
          + " union all select subname::text from pg_subscription s join pg_database d"
          + " on d.oid = s.subdbid where d.datname = current_database()"
          + " union all select slot_name::text from pg_replication_slots"
          + " where database = current_database()"
          + " union all select gid from pg_prepared_xacts where database = current_database()"
          + " union all select relname::text from pg_class where relname ~ '^moved_\\d'"
          + " union all select conname::text from pg_constraint where conname like 'shardmark%'";

  /** Of advisory locks of those who are held. */
  private static final int HELD = 471_101;

  private final Path directory;
  private final List<EmbeddedServer> servers;
  private final Map<String, EmbeddedServer> places = new LinkedHashMap<>();

  /** Of the configuration. */
  private final List<String> shards = new ArrayList<>(List.of("s1", "s2"));

  private final List<ProxyProcess> proxies = new ArrayList<>();

  /**
   * Starts all; s1 and s2 are the shards.
   *
   * @param databases of each server
   */
  GrowthCluster(Path directory, List<List<String>> databases) throws Exception {
    this.directory = directory;
    this.servers = together(databases.stream().map(GrowthCluster::server).toList());
    for (int server = 0; server < servers.size(); server++) {
      for (String database : databases.get(server)) {
        places.put(database, servers.get(server));
      }
    }
    Callable<ProxyProcess> proxy = () -> ProxyProcess.start(directory, config());
    proxies.addAll(together(List.of(proxy, proxy)));
  }

  /** What comes of all, which go on at once. */
  static <T> List<T> together(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(calls)) {
        results.add(Await.result(result));
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  private static Callable<EmbeddedServer> server(List<String> databases) {
    return () -> {
      EmbeddedServer server =
          EmbeddedServer.start(
              "embedded:postgres?fsync=off&set.scram_iterations=1&memory=128MB&set.max_prepared_transactions=50"
                  + "&set.wal_level=logical",
              USER,
              new Secret(USER),
              USER,
              100 + 50 * databases.size(),
              line -> {});
      String password = Files.readString(server.logFile().resolveSibling("administrator")).strip();
      try (Connection connection =
              DriverManager.getConnection(server.jdbcUrl(), "shardmark_administrator", password);
          Statement statement = connection.createStatement()) {
        statement.execute("alter role bench superuser");
        for (String database : databases) {
          statement.execute("create database " + database + " strategy file_copy");
        }
      }
      return server;
    };
  }

  // ---- shards

  /** In the order of the configuration. */
  List<String> shards() {
    return List.copyOf(shards);
  }

  /** Has all proxies know one shard more. */
  void append(String shard) throws Exception {
    shards.add(shard);
    for (int proxy = 0; proxy < proxies.size(); proxy++) {
      reload(proxy, shards);
    }
  }

  void reload(int proxy, List<String> named) throws Exception {
    proxies.get(proxy).rewrite(config(named));
    order(proxy, "RELOAD");
  }

  /** Of the proxies; shards are named as their databases. */
  private String config() {
    return config(shards);
  }

  private String config(List<String> named) {
    StringBuilder yaml = new StringBuilder("shards:\n");
    for (String shard : named) {
      yaml.append(
          "  - {name: %1$s, port: %2$d, database: %1$s}\n"
              .formatted(shard, places.get(shard).port()));
    }
    return yaml
        + """
        users:
          - {name: bench, password: bench}
        admin_users: [bench]
        databases: [bench]
        recovery_interval: 1s
        catalog_interval: 1s
        transport: nio
        event_loops: 1
        """;
  }

  Connection on(String shard) throws SQLException {
    return connect(places.get(shard).port(), shard);
  }

  void execute(String shard, String sql) throws SQLException {
    try (Connection connection = on(shard)) {
      execute(connection, sql);
    }
  }

  List<String> texts(String shard, String sql) throws SQLException {
    try (Connection connection = on(shard)) {
      return ShardSql.texts(connection, sql);
    }
  }

  List<List<String>> rows(String shard, String sql) throws SQLException {
    try (Connection connection = on(shard)) {
      return rows(connection, sql);
    }
  }

  List<String> partitionsOn(String shard) throws SQLException {
    return texts(
        shard,
        "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
            + " where i.inhparent = 'account'::regclass order by 1");
  }

  /** Partitions of {@code account} and {@code entry} on both shards in turns. */
  void createPartitions(int count) throws SQLException {
    for (int part = 0; part < count; part++) {
      for (String table : List.of("account", "entry")) {
        client(
            0,
            "create table %1$s_%2$d partition of %1$s for values with (modulus %3$d, remainder %2$d)"
                    .formatted(table, part, count)
                + " with (shard = %d)".formatted(part % 2 + 1));
      }
    }
  }

  /** What moves and prepared transactions have left on the shards, after the name of each. */
  List<String> left() throws SQLException {
    List<String> left = new ArrayList<>();
    for (String shard : shards) {
      texts(shard, LEFT).forEach(one -> left.add(shard + " " + one));
    }
    return left;
  }

  // ---- proxies

  ProxyProcess proxy(int index) {
    return proxies.get(index);
  }

  Connection open(int proxy) throws SQLException {
    return connect(proxies.get(proxy).port(), "bench");
  }

  void client(int proxy, String sql) throws SQLException {
    try (Connection connection = open(proxy)) {
      execute(connection, sql);
    }
  }

  List<List<String>> asked(int proxy, String sql) throws SQLException {
    try (Connection connection = open(proxy)) {
      return rows(connection, sql);
    }
  }

  long number(int proxy, String sql) throws SQLException {
    return Long.parseLong(asked(proxy, sql).get(0).get(0));
  }

  /** Of a reference table that all have, and of the sequence: each is given once. */
  List<Long> tickets(int proxy, int count) throws SQLException {
    List<Long> tickets = new ArrayList<>();
    try (Connection client = open(proxy)) {
      for (int i = 0; i < count; i++) {
        tickets.add(Long.valueOf(rows(client, "select nextval('ticket')").get(0).get(0)));
      }
    }
    return tickets;
  }

  /**
   * In the admin database.
   *
   * @return the notice
   */
  String order(int proxy, String command) throws SQLException {
    try (Connection admin = connect(proxies.get(proxy).port(), "shardmark");
        Statement statement = admin.createStatement()) {
      statement.execute(command);
      return statement.getWarnings() == null
          ? ""
          : String.valueOf(statement.getWarnings().getMessage());
    }
  }

  /** Why an order is not taken, or "". */
  String refusal(int proxy, String command) {
    try {
      order(proxy, command);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  List<List<String>> shown(int proxy, String topic) throws SQLException {
    try (Connection admin = connect(proxies.get(proxy).port(), "shardmark")) {
      return rows(admin, "SHOW " + topic);
    }
  }

  /** As SHOW SHARDS has them: state and detail. */
  List<String> shown(int proxy, int shard) throws SQLException {
    return shown(proxy, "SHARDS").get(shard).subList(5, 7);
  }

  void awaitUp(int shard) {
    for (int proxy = 0; proxy < proxies.size(); proxy++) {
      int asked = proxy;
      Await.until("the shard counts", this::logs, () -> shown(asked, shard).get(0).equals("up"));
    }
  }

  /** The number of a move that this orders. */
  int move(int proxy, String partition, String shard) throws SQLException {
    String notice = order(proxy, "MOVE PARTITION " + partition + " TO " + shard);
    return Integer.parseInt(notice.replaceAll("move (\\d+):.*", "$1"));
  }

  /** How it stops that starts with other shards than those that count. */
  String refusedStart(List<String> named) throws Exception {
    Process old = ProxyProcess.program(directory, config(named)).redirectErrorStream(true).start();
    String output = new String(old.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + " status " + old.waitFor();
  }

  // ---- faults

  void restart(int proxy) throws Exception {
    proxies.set(proxy, ProxyProcess.start(directory, config()));
  }

  /** The server of a database. */
  void killAndStart(String shard) {
    places.get(shard).killHard();
    places.get(shard).restart();
  }

  /**
   * Has triggers on a shard that hold those who are about to write a stage, or the decision of a
   * commit, as long as {@link #hold} says so; a restart of the server does not change that.
   */
  void createHolds(String shard) throws SQLException {
    for (String sql : GrowthTables.CREATE) {
      execute(shard, sql);
    }
    execute(
        shard,
        """
        create table shardmark.held (point text);
        create function shardmark.hold() returns trigger language plpgsql as $$
        declare
          at text := coalesce(tg_argv[0], to_jsonb(new) ->> 'stage');
        begin
          while exists (select from shardmark.held where point = at) loop
            perform pg_advisory_xact_lock_shared(%d, hashtext(at)), pg_sleep(0.01);
          end loop;
          return new;
        end $$;
        create trigger hold before update of stage on shardmark.move
          for each row execute function shardmark.hold();
        create trigger hold before update of stage on shardmark.addition
          for each row execute function shardmark.hold();
        create trigger hold before insert on shardmark.decision
          for each row execute function shardmark.hold('decision')"""
            .formatted(HELD));
  }

  void hold(String shard, String point) throws SQLException {
    execute(shard, "insert into shardmark.held values ('" + point + "')");
  }

  void awaitHeld(String shard, String point) throws SQLException {
    String held =
        "select exists (select from pg_locks where locktype = 'advisory' and classid = %d"
                .formatted(HELD)
            + " and objid = hashtext('%s')::oid)".formatted(point);
    try (Connection connection = on(shard)) {
      Await.until(
          "somebody is held at " + point, this::logs, () -> ShardSql.isTrue(connection, held));
    }
  }

  void letGo(String shard, String point) throws SQLException {
    execute(shard, "delete from shardmark.held where point = '" + point + "'");
  }

  /** The proxy that has logged that; negative if none has. */
  int proxyThatSaid(String text) {
    return IntStream.range(0, proxies.size())
        .filter(proxy -> proxies.get(proxy).logText().contains(text))
        .findFirst()
        .orElse(-1);
  }

  String logs() {
    return String.join(" | ", proxies.stream().map(ProxyProcess::logTail).toList());
  }

  private static Connection connect(int port, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?preferQueryMode=simple",
        USER,
        USER);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> found = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(rows.getString(i)));
        }
        found.add(row);
      }
      return found;
    }
  }

  @Override
  public void close() {
    proxies.forEach(ProxyProcess::close);
    servers.forEach(EmbeddedServer::close);
  }
}
