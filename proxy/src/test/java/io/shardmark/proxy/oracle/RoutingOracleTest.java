package io.shardmark.proxy.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.util.PGobject;

/**
 * Random statements on a plain database and, through the proxy, on two shards with the same rows:
 * the same answer, or 0A000. The proxy may refuse no more than a given share. {@code
 * -Dshardmark.oracle.minutes=60} goes on for an hour, {@code -Dshardmark.oracle.seed=...} repeats a
 * run that has printed its seed, {@code -Dshardmark.oracle.reasons=true} counts refusals.
 */
final class RoutingOracleTest {
  private static final long SEED = Long.getLong("shardmark.oracle.seed", new Random().nextLong());

  private static final int QUERIES = Integer.getInteger("shardmark.oracle.queries", 700);
  private static final int CHANGES = Integer.getInteger("shardmark.oracle.changes", 600);

  /** Each statement is made so often, with other values. */
  private static final int VARIANTS = 2;

  /** How long to go on with ever new statements. */
  private static final Duration LENGTH =
      Duration.ofMinutes(Integer.getInteger("shardmark.oracle.minutes", 0));

  /**
   * Of what PostgreSQL answers; of queries hardly any, of changes 0.16 with a standard deviation of
   * 0.02.
   */
  private static final double QUERIES_REFUSED = 0.02;

  private static final double CHANGES_REFUSED = 0.2;

  private static Cluster cluster;
  private final Map<String, Integer> refused = new TreeMap<>();

  @BeforeAll
  static void start() throws SQLException {
    System.out.println("RoutingOracleTest seed " + SEED);
    cluster = new Cluster();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** What came of a statement: rows or a count, or an SQLSTATE. */
  private record Outcome(List<String> rows, String state, String message) {
    boolean isRefused() {
      return state.equals("0A000");
    }
  }

  private static Outcome run(Connection connection, String sql) throws SQLException {
    return run(connection, new RandomStatement.Made(sql, List.of()));
  }

  private static Outcome run(Connection connection, RandomStatement.Made made) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(made.sql())) {
      bind(statement, made);
      if (!statement.execute()) {
        return new Outcome(List.of("count " + statement.getUpdateCount()), "", "");
      }
      try (ResultSet rows = statement.getResultSet()) {
        return new Outcome(rows(rows), "", "");
      }
    } catch (SQLException e) {
      return new Outcome(
          List.of(), String.valueOf(e.getSQLState()), String.valueOf(e.getMessage()));
    }
  }

  static void bind(PreparedStatement statement, RandomStatement.Made made) throws SQLException {
    PGConnection connection = statement.getConnection().unwrap(PGConnection.class);
    boolean describes = connection.getPrepareThreshold() == 1;
    for (int i = 0; i < made.values().size(); i++) {
      Object value = made.values().get(i);
      if (describes && value instanceof PGobject typed && "unknown".equals(typed.getType())) {
        // pgjdbc, with a plain server too, does not bear that a server finds the type of one.
        statement.setObject(i + 1, typed.getValue(), Types.OTHER);
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }

  /** Whether the proxy cuts it into rows for each shard: several, of a table that is sharded. */
  private static boolean isCut(RandomStatement.Made made) {
    return made.sql().contains("), (") && !made.sql().matches("insert into (public\\.)?r .*");
  }

  /** Both are told of rows on several shards that break a constraint each. */
  private static final Set<String> CONSTRAINTS = Set.of("23502", "23505");

  private static List<String> rows(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    List<String> list = new ArrayList<>();
    while (rows.next()) {
      String[] row = new String[columns];
      for (int i = 0; i < columns; i++) {
        // A binary number has no text of its own.
        row[i] =
            rows.getObject(i + 1) instanceof BigDecimal number
                ? number.toPlainString()
                : rows.getString(i + 1);
      }
      list.add(Arrays.toString(row));
    }
    return list;
  }

  /**
   * A division by zero where one of two servers had not to divide: the same rows as if it gave
   * null. A plan may leave an operand of INTERSECT out if the other one is empty, and does not
   * compute the groups behind LIMIT if it sorts by the columns that they are grouped by.
   */
  private static Outcome ofOtherPlan(Pair pair, RandomStatement.Made made, Outcome plain)
      throws SQLException {
    String sql =
        made.sql().replaceAll("/ \\(count\\(\\*\\) - (\\d)\\)", "/ nullif(count(*) - $1, 0)");
    return plain.state().equals("22012") && sql.matches("(?s).* (intersect|limit) .*")
        ? run(pair.plain(), new RandomStatement.Made(sql, made.values()))
        : plain;
  }

  /** Compares; tells whether the proxy refused what PostgreSQL answers. */
  private boolean compare(
      RandomStatement.Made made, Outcome plain, Outcome sharded, boolean ordered) {
    if (!plain.state().isEmpty()) {
      if (isCut(made)
          && CONSTRAINTS.contains(plain.state())
          && CONSTRAINTS.contains(sharded.state())) {
        return false; // which is told first is by chance
      }
      assertThat(sharded.state())
          .as("%s: PostgreSQL says %s", made, plain.message())
          .isIn(plain.state(), "0A000");
      return false;
    }
    if (sharded.isRefused()) {
      refused.merge(sharded.message().replaceAll("(?s)Hint:.*|\\d+", "").strip(), 1, Integer::sum);
      return true;
    }
    assertThat(sharded.state()).as("%s: the proxy says %s", made, sharded.message()).isEmpty();
    List<String> expected = comparable(made, plain);
    List<String> actual = comparable(made, sharded);
    if (!ordered) {
      Collections.sort(expected);
      Collections.sort(actual);
    }
    assertThat(actual).as("%s", made).isEqualTo(expected);
    return false;
  }

  /** Of equal numbers, as 2 and 2.00, a set operation keeps one; the plan decides which. */
  private static List<String> comparable(RandomStatement.Made made, Outcome outcome) {
    List<String> rows = new ArrayList<>(outcome.rows());
    if (made.sql().matches("(?s).* (union|intersect|except) (?!all ).*")) {
      rows.replaceAll(row -> row.replaceAll("\\.0+(?=[,\\]])|(\\.\\d*[1-9])0+(?=[,\\]])", "$1"));
    }
    return rows;
  }

  /**
   * A pair of connections, to the plain database and to the proxy, and with the same parameters:
   * pgjdbc drops a value's type where it writes it into the text.
   */
  private record Pair(Connection plain, Connection sharded) implements AutoCloseable {
    static Pair of(String... parameters) throws SQLException {
      return new Pair(cluster.plain(parameters), cluster.proxy.connect(parameters));
    }

    void both(String sql) throws SQLException {
      for (Connection connection : List.of(plain, sharded)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(sql);
        }
      }
    }

    @Override
    public void close() throws SQLException {
      plain.close();
      sharded.close();
    }
  }

  private static final List<List<String>> MODES =
      List.of(
          List.of("preferQueryMode=simple"),
          List.of("prepareThreshold=1", "binaryTransfer=true"),
          List.of("prepareThreshold=0"));

  private static Pair pair(int mode) throws SQLException {
    return Pair.of(MODES.get(mode).toArray(new String[0]));
  }

  /** How many statements PostgreSQL answers, and how many of these the proxy refuses. */
  private static final class Shares {
    private int tried;
    private int answered;
    private int refusals;
  }

  /** A series of random statements in one mode. */
  private interface Series {
    void run(int mode, Random random, Shares shares) throws SQLException;
  }

  private void inAllModes(long seed, double greatestShare, Series series) throws SQLException {
    Random random = new Random(seed);
    Shares shares = new Shares();
    long start = System.nanoTime();
    do {
      for (int mode = 0; mode < MODES.size(); mode++) {
        series.run(mode, random, shares);
      }
    } while (System.nanoTime() - start < LENGTH.toNanos());
    System.out.println(shares.tried + " statements");
    checkShare(shares, greatestShare);
  }

  @Test
  void queriesAreAnsweredAsByOneServer() throws SQLException {
    inAllModes(SEED, QUERIES_REFUSED, this::queries);
  }

  private void queries(int mode, Random random, Shares shares) throws SQLException {
    int shapes = QUERIES / MODES.size() / VARIANTS;
    try (Pair pair = pair(mode)) {
      for (int i = 0; i < shapes; i++) {
        if (i == shapes * 2 / 3) {
          pair.both("set search_path = other, public");
        }
        long shape = random.nextLong();
        for (int variant = 0; variant < VARIANTS; variant++) {
          RandomStatement statement =
              new RandomStatement(new Random(shape), random, mode != 0 || i % 4 == 0);
          RandomStatement.Made made = statement.query();
          Outcome plain = run(pair.plain(), made);
          Outcome sharded = run(pair.sharded(), made);
          if (sharded.state().isEmpty()) {
            plain = ofOtherPlan(pair, made, plain);
          }
          shares.refusals += compare(made, plain, sharded, statement.ordered) ? 1 : 0;
          shares.answered += plain.state().isEmpty() ? 1 : 0;
          shares.tried++;
        }
      }
    }
  }

  private static final List<String> OVER_AGGREGATES =
      List.of(
          "select coalesce(max(k), 0) + 1 from t",
          "select coalesce(max(k), 0) + 1 as next, max(a) - min(a) from t where k > 1000",
          "select sum(a) / count(*), sum(a)::numeric / count(*), round(avg(n), 2) from t",
          "select count(*) > 0, count(*) = 0, not bool_and(a > 1), avg(a)::int from t",
          "select 1 / (count(*) - count(k)) from t",
          "select a, b, count(*) * 2 as double, b || '-' || count(*) from t group by a, b",
          "select t.a + 1, -sum(t.k) from t group by a order by 1, t.a desc",
          "select b, n, count(*) + 0 from t group by n, b order by b desc nulls last, n limit 3",
          "select b, count(*) from t group by b having count(*) > 2 and max(b) <> 'c' order by b",
          "select max(a) from t having count(*) > 1000",
          "select a from t group by a order by count(*) % 2, coalesce(a, 9) desc offset 1",
          "select distinct count(*) % 2 as odd from t group by a order by odd",
          "select a % 2, (a % 2) + count(*), abs(a % 2) from t group by a % 2 order by 1",
          "select date_trunc('day', date '2026-01-01' + k) as day, max(k) - 1 from t"
              + " where k < 3 group by 1 order by day desc",
          "select extract(year from max(date '2026-01-01' + k)), max(k::float8) / 3 from t",
          "select case a when 1 then min(k) else max(k) end, sum(n) - 0.10 from t group by a"
              + " order by 2",
          "select greatest(max(k), 5), nullif(count(a), 0), concat('x', sum(a)) from t where k > 50",
          "with x as (select k, a from t where a > 1) select 100.0 * sum(a) / count(*) from x",
          "select sum(t.a) * max(u.x) from t join u on t.k = u.k where t.b = 'a'",
          "select string_agg(b, ',' order by b, k) || count(*) from t",
          "select array_agg(k), string_agg(b, ',') from (select k, b from t order by k desc) ordered",
          "select a, json_agg(k order by k desc) filter (where k > 2), array_agg(distinct b) from t"
              + " group by a order by a",
          "select count(distinct t.b), count(distinct u.x) from t left join u on t.k = u.k",
          "select distinct on (a) a, b, k from t order by a, k desc",
          "select k, sum(a) over (order by k), lag(b) over (partition by a order by k) from t"
              + " order by k fetch first 5 rows with ties",
          "select a, sum(count(*)) over (order by a) from t group by a order by a limit 2 + 1",
          "select max(b) || (select max(name) from r) from t",
          "select 'x', 2, count(*) from t where k > 100 group by 1, 2",
          "select a, grouping(a), count(*) from t group by rollup (a) order by a, 2",
          "select t.k, t.b, r.v from r left join t on t.a = r.id order by 1, 2, 3",
          "select x.* from (select k, b from t order by k limit 4) x order by k desc",
          "select k from t where a = (select max(a) from t) order by k",
          "select to_jsonb(x) - 'n' from t x where exists (select from u where u.x = x.a) order by k",
          "select k, (select count(*) from u where u.x > t.a) from t order by k",
          "select x.U&\"k\" from t x join u on x.a = u.x order by 1",
          "with t as (select k, a from t where a > 1) select t.*, u.x from t, u where t.a = u.x"
              + " order by 1, 2, 3",
          "select x from t x where k in (select max(x) from u) order by k",
          "select p, r.v from t as x (p, q) join r on q = r.id full join u on p = u.x"
              + " order by 1, 2",
          "with recursive n (i) as (select min(k) from t union all select n.i + 1 from n, u"
              + " where n.i < 4 and u.k = 1) select i, (select b from t where k = i) from n"
              + " order by i",
          "select a, b from t where k < 3 intersect select x, y from u order by 1, 2",
          "select t.b, g.w, count(*) from t cross join lateral (select w from g where g.v <> t.a"
              + " order by m limit 2) g where t.k > 2 and t.b <> 'c' group by 1, 2 order by 1, 2",
          "select t.a, u.x from t natural join u where k > 2 order by 1, 2",
          "select t.n, max(a) + 1, count(distinct a) - 1 from t group by t.n");

  /** Names and types as pgjdbc knows them, from RowDescription. */
  private static String described(Connection connection, String sql) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (!statement.execute()) {
        return "";
      }
      var columns = statement.getResultSet().getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        text.append(columns.getColumnLabel(i) + ' ' + columns.getColumnTypeName(i));
        text.append("(" + columns.getPrecision(i) + "," + columns.getScale(i) + ") ");
      }
    }
    return text.toString();
  }

  /** Names in GROUP BY mean columns first, in ORDER BY and DISTINCT ON those of the answer. */
  private static final List<String> NAMED_COLUMNS =
      List.of(
          "select max(a) as b, count(*) from t group by b",
          "select a % 2 as a, count(*) from t group by a",
          "select a + 0 as b, count(*) from t group by b, a + 0",
          "select a % 2 as parity, count(*) from t group by parity order by parity",
          "select count(*) from t group by (a, b)",
          "select a, b, count(*) from t group by (a, b) order by a, b",
          "select a, count(*) + 1 from t group by ((a), b) order by a, b",
          "select b, count(*) from t group by b order by count desc, b",
          "select max(k) from t group by b order by max",
          "select sum(a)::double precision from t",
          "select b, sum(a)::double precision as s from t group by b order by s, b",
          "select a operator(pg_catalog.+) k from t order by k",
          "select -t.k from t order by k",
          "select distinct on (k) a as k, b from t order by k, b",
          "select a is distinct from k, b ilike b from t order by k desc",
          "select (-k)::int4 from t order by k",
          "select (-k)::int4 from t order by int4",
          "select case when k > 3 then 1 else k end from t where k < 5 order by k",
          "select cast(k as int), interval '1' day from t order by k",
          "select a as k from t where b = 'a' order by k, t.k, b",
          "select null x, true y, a is null z from t order by t.k",
          "with x (p, q) as (select a, k from t) select p, z from x as y (z) order by z",
          "select k::text from t order by k",
          "select lower(b), k from t where k = 3 or b = 'none' order by lower, k",
          "select t.k, extract(year from date '2026-11-21' + k * 400) from t order by extract",
          "select count(*) from t where exists (select 1 from"
              + " (select u.k as kk, w.k::int from u, (select 1 as k) w) x where kk = k)",
          "select count(*) from t where exists (select 1 from"
              + " (select u.k as kk, w.v as U&\"k\" from u, r w) x where kk = k)");

  @Test
  void namesOfColumnsMeanWhatTheyMeanToOneServer() throws SQLException {
    assertThat(refusalsOf(NAMED_COLUMNS)).as("%s", refused).isEqualTo(0);
  }

  @Test
  void expressionsOverAggregatesAreThoseOfOneServer() throws SQLException {
    assertThat(refusalsOf(OVER_AGGREGATES)).as("%s", refused).isEqualTo(0);
  }

  /** How many the proxy refuses; the others are answered as by one server, in every mode. */
  private int refusalsOf(List<String> statements) throws SQLException {
    int refusals = 0;
    for (int mode = 0; mode < MODES.size(); mode++) {
      try (Pair pair = pair(mode)) {
        for (String sql : statements) {
          RandomStatement.Made made = new RandomStatement.Made(sql, List.of());
          Outcome plain = run(pair.plain(), made);
          Outcome sharded = run(pair.sharded(), made);
          boolean refusal = compare(made, plain, sharded, sql.contains("order by"));
          if (!refusal && plain.state().isEmpty()) {
            assertThat(described(pair.sharded(), sql))
                .as(sql)
                .isEqualTo(described(pair.plain(), sql));
          } else if (!refusal) {
            assertThat(sharded.state()).as(sql).isEqualTo(plain.state());
          }
          refusals += refusal ? 1 : 0;
        }
      }
    }
    return refusals;
  }

  @Test
  void changesLeaveTheSameRows() throws SQLException {
    inAllModes(SEED + 1, CHANGES_REFUSED, this::changes);
  }

  private void changes(int mode, Random random, Shares shares) throws SQLException {
    try (Pair pair = pair(mode)) {
      for (int i = 0; i < CHANGES / MODES.size() / VARIANTS; i++) {
        String table = Cluster.TABLES.get(random.nextInt(Cluster.TABLES.size()));
        long shape = random.nextLong();
        for (int variant = 0; variant < VARIANTS; variant++) {
          RandomStatement statement =
              new RandomStatement(new Random(shape), random, mode != 0 || i % 4 == 0);
          RandomStatement.Made made = statement.change(table);
          pair.both("begin");
          Outcome plain = run(pair.plain(), made);
          Outcome sharded = run(pair.sharded(), made);
          boolean refusal = compare(made, plain, sharded, false);
          if (!refusal && plain.state().isEmpty()) {
            compareRows(pair, table, made);
          }
          pair.both("rollback");
          shares.refusals += refusal ? 1 : 0;
          shares.answered += plain.state().isEmpty() ? 1 : 0;
          shares.tried++;
        }
      }
    }
  }

  /** The shards' rows together; of a reference table each shard's. */
  private static void compareRows(Pair pair, String table, RandomStatement.Made made)
      throws SQLException {
    String select = "select x.* from " + table + " x";
    List<String> expected = new ArrayList<>(run(pair.plain(), select).rows());
    Collections.sort(expected);
    List<String> all = new ArrayList<>();
    for (String shard : table.equals("public.s") ? List.of("s1") : List.of("s0", "s1")) {
      Outcome here = run(pair.sharded(), "/* shardmark_shard: " + shard + " */ " + select);
      assertThat(here.state()).as(here.message()).isEmpty();
      List<String> rows = new ArrayList<>(here.rows());
      if (table.equals("public.r")) {
        Collections.sort(rows);
        assertThat(rows).as("%s on %s", made, shard).isEqualTo(expected);
      }
      all.addAll(rows);
    }
    if (!table.equals("public.r")) {
      Collections.sort(all);
      assertThat(all).as("%s", made).isEqualTo(expected);
    }
  }

  private void checkShare(Shares shares, double greatestShare) {
    String figures =
        "%d tried, PostgreSQL answers %d, the proxy refuses %d of them, seed %d"
            .formatted(shares.tried, shares.answered, shares.refusals, SEED);
    if (Boolean.getBoolean("shardmark.oracle.reasons")) {
      System.out.println(figures);
      refused.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .forEach(e -> System.out.println(e.getValue() + " " + e.getKey()));
    }
    assertThat(shares.answered).as(figures).isGreaterThan(shares.tried / 2);
    assertThat((double) shares.refusals / shares.answered).as(figures).isLessThan(greatestShare);
  }
}
