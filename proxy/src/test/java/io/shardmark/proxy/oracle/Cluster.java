package io.shardmark.proxy.oracle;

import io.shardmark.proxy.server.RunningProxy;
import io.shardmark.proxy.shardmap.Sharding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** The same tables and rows in one plain database and, through a proxy, over two shards. */
final class Cluster implements AutoCloseable {
  static final int KEYS = 24;

  /** {@code -Dshardmark.oracle.pool_mode=session}: each client keeps its server connections. */
  private static final String POOL_MODE =
      System.getProperty("shardmark.oracle.pool_mode", "transaction");

  /** Tables whose rows may be changed, with their schema. */
  static final List<String> TABLES =
      List.of(
          "public.t",
          "public.u",
          "public.o",
          "public.l",
          "public.g",
          "public.r",
          "other.t",
          "public.s");

  private static final String COLUMNS =
      """
      create schema other;
      create table t (k int not null, a int, b text collate "C", n numeric(8,2), primary key (k)) %s;
      create table u (k bigint not null, x int not null, y text collate "C", primary key (k, x)) %s;
      create table o (k int, z int) %s;
      create table l (code text, v int) %s;
      create table g (m int, v int, w text collate "C") %s;
      create table other.t (a int not null, k int, primary key (a)) %s;
      create table "Odd" ("Key" smallint, "select" int) %s;
      create table r (id int primary key, v int, name text collate "C");
      create view rv as select id, v from r where v > 1;
      """;

  private static final String OF_ONE_SHARD =
      "create table s (id int primary key, v int, name text collate \"C\", constraint \"%s\" check"
          + " (true))";

  final RunningProxy proxy;
  final String plainUrl;

  Cluster() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4\npool_mode: " + POOL_MODE);
    plainUrl = RunningProxy.plainDatabase();
    try (Connection plain = plain();
        Statement statement = plain.createStatement()) {
      statement.execute(COLUMNS.formatted("", "", "", "", "", "", ""));
      statement.execute(OF_ONE_SHARD.formatted("check"));
    }
    proxy.onShards(
        COLUMNS.formatted(
            "partition by hash (k)",
            "partition by hash (k)",
            "partition by hash (k)",
            "partition by list (code)",
            "partition by range (m)",
            "partition by hash (a)",
            "partition by hash (\"Key\")"));
    int[] alike = {0, 1, 1, 0};
    for (int remainder = 0; remainder < 4; remainder++) {
      for (String table : List.of("t", "u", "\"Odd\"", "other.t")) {
        partition(alike[remainder], table, remainder);
      }
      partition(remainder % 2, "o", remainder);
    }
    onShard(0, "create table l0 partition of l for values in ('a', 'b', '')");
    onShard(1, "create table l1 partition of l for values in ('c', null, 'it''s, (d)')");
    onShard(0, "create table l2 partition of l default");
    onShard(0, "create table g0 partition of g for values from (minvalue) to (0)");
    onShard(1, "create table g1 partition of g for values from (0) to (10)");
    onShard(0, "create table g2 partition of g for values from (10) to (maxvalue)");
    onShard(1, "create table g3 partition of g default");
    onShard(1, OF_ONE_SHARD.formatted(Sharding.ONE_SHARD_MARK));
    proxy.refresh();
    fill();
  }

  private void partition(int shard, String table, int remainder) throws SQLException {
    String name = table.replace("\"", "").replace('.', '_') + "_p" + remainder;
    onShard(
        shard,
        "create table %s partition of %s for values with (modulus 4, remainder %d)"
            .formatted(name, table, remainder));
  }

  private void onShard(int shard, String sql) throws SQLException {
    try (Connection connection = proxy.shard(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  Connection plain(String... parameters) throws SQLException {
    return RunningProxy.open(plainUrl + "?" + String.join("&", parameters));
  }

  /** The same statements to both. */
  private void fill() throws SQLException {
    Random random = new Random(7);
    try (Connection plain = plain();
        Connection sharded = proxy.connect("preferQueryMode=simple");
        Statement one = plain.createStatement();
        Statement other = sharded.createStatement()) {
      for (String sql : rows(random)) {
        one.execute(sql);
        other.execute(sql);
      }
    }
  }

  private static List<String> rows(Random random) {
    StringBuilder t = new StringBuilder("insert into t (k, a, b, n) values ");
    StringBuilder u = new StringBuilder("insert into u (k, x, y) values ");
    StringBuilder o = new StringBuilder("insert into o (k, z) values ");
    StringBuilder l = new StringBuilder("insert into l (code, v) values ");
    StringBuilder g = new StringBuilder("insert into g (m, v, w) values ");
    StringBuilder s = new StringBuilder("insert into other.t (a, k) values ");
    StringBuilder q = new StringBuilder("insert into \"Odd\" (\"Key\", \"select\") values ");
    StringBuilder r = new StringBuilder("insert into r (id, v, name) values ");
    for (int k = -3; k < KEYS; k++) {
      String comma = k == -3 ? "" : ", ";
      String text = random.nextInt(5) == 0 ? "null" : "'" + "abcd".charAt(random.nextInt(4)) + "'";
      String small = random.nextInt(6) == 0 ? "null" : Integer.toString(random.nextInt(5));
      t.append("%s(%d, %s, %s, %d.%02d)".formatted(comma, k, small, text, k, k + 3));
      int later = 2 + random.nextInt(3);
      if (k >= 0) { // a negative bigint is no oid: whether that is told depends on the plan
        u.append("%s(%d, 1, %s), (%d, %d, 'b')".formatted(k == 0 ? "" : ", ", k, text, k, later));
      }
      o.append("%s(%s, %s)".formatted(comma, k < 2 ? "1" : k, small));
      l.append(
          "%s(%s, %d)"
              .formatted(
                  comma,
                  List.of("'a'", "'b'", "'c'", "'d'", "''", "null", "'it''s, (d)'")
                      .get(random.nextInt(7)),
                  k));
      g.append("%s(%d, %s, %s)".formatted(comma, k - 2, small, text));
      s.append("%s(%d, %d)".formatted(comma, k, (k + 7) % 9));
      q.append("%s(%d, %s)".formatted(comma, k, small));
      r.append("%s(%d, %s, %s)".formatted(comma, k, small, text));
    }
    return List.of(
        t.toString(),
        u.toString(),
        o.toString(),
        l.toString(),
        g.toString(),
        s.toString(),
        q.toString(),
        r.toString(),
        r.toString().replace("into r", "into s").replace("null", "7"));
  }

  @Override
  public void close() {
    proxy.close();
  }
}
