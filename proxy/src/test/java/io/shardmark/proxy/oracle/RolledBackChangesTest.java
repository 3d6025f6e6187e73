package io.shardmark.proxy.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * Random changes that are rolled back, that fail or that are cancelled at any moment: nothing of
 * them is left on a shard, and a statement by itself is executed on all of them or on none. {@code
 * -Dshardmark.oracle.minutes=60} goes on for an hour, {@code -Dshardmark.oracle.seed=...} repeats
 * the statements of a run that has printed its seed, not the moments.
 */
final class RolledBackChangesTest {
  private static final long SEED = Long.getLong("shardmark.oracle.seed", new Random().nextLong());
  private static final int CHANGES = Integer.getInteger("shardmark.oracle.changes", 60);

  /** Larger than those of all rows. */
  private static final long FREE_KEY = 1_000_000;

  private static final Duration LENGTH =
      Duration.ofMinutes(Integer.getInteger("shardmark.oracle.minutes", 0));

  private static final List<List<String>> MODES =
      List.of(
          List.of("preferQueryMode=simple"),
          List.of("prepareThreshold=1", "binaryTransfer=true"),
          List.of("prepareThreshold=0"));

  private static Cluster cluster;
  private static final Map<String, List<List<String>>> UNCHANGED = new HashMap<>();

  /** Past the proxy. */
  private static final List<Connection> SHARDS = new ArrayList<>();

  private final Random random = new Random(SEED);
  private int cancelled;
  private int alone;

  @BeforeAll
  static void start() throws SQLException {
    System.out.println("RolledBackChangesTest -Dshardmark.oracle.seed=" + SEED);
    cluster = new Cluster();
    SHARDS.add(cluster.proxy.shard(0));
    SHARDS.add(cluster.proxy.shard(1));
    for (String table : Cluster.TABLES) {
      UNCHANGED.put(table, rows(table));
    }
  }

  /** Of each shard that has the table. */
  private static List<List<String>> rows(String table) throws SQLException {
    List<List<String>> shards = new ArrayList<>();
    for (Connection shard : SHARDS) {
      if (texts(shard, "select to_regclass('" + table + "')").get(0) != null) {
        List<String> rows = texts(shard, "select x::text from " + table + " x");
        Collections.sort(rows);
        shards.add(rows);
      }
    }
    return shards;
  }

  private static List<String> texts(Connection shard, String sql) throws SQLException {
    try (Statement statement = shard.createStatement();
        ResultSet all = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (all.next()) {
        rows.add(all.getString(1));
      }
      return rows;
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    for (Connection shard : SHARDS) {
      shard.close();
    }
    cluster.close();
  }

  @Test
  void nothingIsLeft() throws SQLException {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> locks = CompletableFuture.runAsync(() -> lock(ended));
    int tried;
    try {
      tried = change();
    } finally {
      ended.set(true);
      locks.join();
    }
    System.out.println(tried + " changes, " + cancelled + " cancelled, " + alone + " rows alone");
    assertThat(cancelled).isPositive();
    assertThat(alone).isPositive();
  }

  private int change() throws SQLException {
    long start = System.nanoTime();
    int tried = 0;
    do {
      for (List<String> mode : MODES) {
        try (Connection client = cluster.proxy.connect(mode.toArray(new String[0]))) {
          for (int i = 0; i < CHANGES / MODES.size(); i++, tried++) {
            rolledBack(client, mode.equals(MODES.get(0)));
            byItself(client);
          }
        }
      }
    } while (System.nanoTime() - start < LENGTH.toNanos());
    return tried;
  }

  /** Lets a shard wait now and then, as otherwise hardly a cancel comes before the end. */
  private static void lock(AtomicBoolean ended) {
    Random random = new Random(SEED);
    List<String> onAll =
        UNCHANGED.entrySet().stream()
            .filter(table -> table.getValue().size() == SHARDS.size())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    try (Connection one = cluster.proxy.shard(0);
        Connection other = cluster.proxy.shard(1)) {
      while (!ended.get()) {
        execute(
            random.nextBoolean() ? one : other,
            "begin; lock table %s in share mode; select pg_sleep(0.02); commit"
                .formatted(onAll.get(random.nextInt(onAll.size()))));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void rolledBack(Connection client, boolean asText) throws SQLException {
    String table = Cluster.TABLES.get(random.nextInt(Cluster.TABLES.size()));
    List<String> said = new ArrayList<>();
    execute(client, "begin");
    for (int i = 0; i <= random.nextInt(3); i++) {
      RandomStatement.Made made =
          new RandomStatement(new Random(random.nextLong()), random, !asText).change(table);
      said.add(made + ": " + state(client, made));
    }
    String end = random.nextInt(4) == 0 && said.get(0).contains("ERROR") ? "commit" : "rollback";
    execute(client, end);
    assertThat(rows(table)).as("%s, then %s", said, end).isEqualTo(UNCHANGED.get(table));
  }

  /** Rows of any shards. */
  private void byItself(Connection client) throws SQLException {
    int count = 2 + random.nextInt(6);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add("(" + (FREE_KEY + i) + ", " + random.nextInt(9) + ", 'b')");
    }
    String sql = "insert into public.u values " + String.join(", ", values);
    String outcome = state(client, new RandomStatement.Made(sql, List.of()));
    if (outcome.isEmpty()) {
      try (Statement statement = client.createStatement()) {
        assertThat(statement.executeUpdate("delete from public.u where k >= " + FREE_KEY))
            .as(sql)
            .isEqualTo(count);
      }
      alone += count;
    }
    assertThat(rows("public.u")).as("%s: %s", sql, outcome).isEqualTo(UNCHANGED.get("public.u"));
  }

  private static void execute(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Executes it, and cancels every second one until it ends; the error, "" if there is none. */
  private String state(Connection client, RandomStatement.Made made) throws SQLException {
    try (var statement = client.prepareStatement(made.sql())) {
      AtomicBoolean ended = new AtomicBoolean(random.nextBoolean());
      CompletableFuture<Void> cancels = CompletableFuture.runAsync(() -> cancel(client, ended));
      try {
        RoutingOracleTest.bind(
            statement, made); // asks for a type's oid: not in a failed transaction
        statement.execute();
        return "";
      } catch (SQLException e) {
        cancelled += "57014".equals(e.getSQLState()) ? 1 : 0;
        return String.valueOf(e.getMessage());
      } finally {
        ended.set(true);
        cancels.join();
      }
    }
  }

  private static void cancel(Connection client, AtomicBoolean ended) {
    try {
      while (!ended.get()) {
        client.unwrap(PGConnection.class).cancelQuery();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
