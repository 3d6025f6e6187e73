package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.StatementSplitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Text made to mislead: SQL in values, and words in any order. */
class HostileTextTest {
  private static final long SEED = 20261121;
  private static final int TEXTS = 50_000;
  private static final ShardMap MAP = TestCluster.map();
  private static final List<String> PATH = List.of("public");

  private static final List<String> PIECES =
      List.of(
          "SELECT",
          "FROM",
          "t",
          "u",
          "r",
          "WHERE",
          "k",
          "=",
          "5",
          "AND",
          "OR",
          "(",
          ")",
          ",",
          "'x'",
          "'",
          "$1",
          "$$",
          "/*",
          "*/",
          "--",
          "\n",
          "IN",
          "JOIN",
          "ON",
          "LEFT",
          "USING",
          "GROUP",
          "BY",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "count(*)",
          "UNION",
          "ALL",
          "WITH",
          "AS",
          "INSERT",
          "INTO",
          "VALUES",
          "UPDATE",
          "SET",
          "DELETE",
          "RETURNING",
          "DISTINCT",
          "x",
          ".",
          "*",
          "::",
          "int",
          "CASE",
          "WHEN",
          "END",
          "BETWEEN",
          "EXISTS",
          "any",
          "[",
          "]",
          "COPY",
          "STDIN",
          "TO",
          "EXPLAIN",
          "FETCH",
          "FOR",
          "shardmark_key: 7",
          "E'\\'",
          "\"",
          "NULLS",
          "FIRST",
          "LATERAL",
          "NATURAL",
          "CONFLICT",
          "DO",
          "DEFAULT",
          "table",
          "setval",
          "-",
          ";");

  private static MapPlans cache() {
    return new PlanCache(TestCluster.DDL).of(MAP);
  }

  private static String simple(MapPlans cache, String sql) {
    return Shown.route(cache.planSimple(sql, PATH).get(0));
  }

  @Test
  void sqlInALiteralNeverChangesARoute() {
    MapPlans cache = cache();
    Random random = new Random(SEED);
    for (int i = 0; i < TEXTS / 40; i++) {
      String value = soup(random, 12);
      String quoted = "'" + value.replace("'", "''") + "'";
      String escaped = "E'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
      String dollar = "$q$" + value + "$q$";
      for (String literal : List.of(quoted, escaped, dollar)) {
        String read = "SELECT a FROM t WHERE name = " + literal + " AND k = 6";
        assertThat(simple(cache, read)).as(read).isEqualTo("2");
        String write = "INSERT INTO t (name, k) VALUES (" + literal + ", 7)";
        assertThat(simple(cache, write)).as(write).isEqualTo("3");
        assertThat(cache.planParse(read, PATH).plan()).isInstanceOf(StatementPlan.QueryPlan.class);
      }
    }
  }

  @Test
  void literalsInOnePlaceShareAPlanAndKeepTheirOwnRoutes() {
    MapPlans cache = cache();
    List<StatementPlan> plans = new ArrayList<>();
    for (int key = 0; key < 100; key++) {
      String sql = "SELECT abalance FROM pgbench_accounts WHERE aid = " + key;
      assertThat(simple(cache, sql)).isEqualTo(Integer.toString(key % 4));
      plans.add(cache.planSimple(sql, PATH).get(0).planned().plan());
    }
    assertThat(plans).allSatisfy(plan -> assertThat(plan).isSameAs(plans.get(0)));
  }

  @Test
  void shapesNeverAnswerForValuesThatNeedAnotherPlan() {
    MapPlans cache = cache();
    assertThat(simple(cache, "SELECT a FROM t WHERE k IN (1, 5)")).isEqualTo("1");
    assertThat(simple(cache, "SELECT a FROM t WHERE k IN (1, 2)")).isEqualTo("1,2 merge");
    assertThat(
            cache
                .planSimple("SELECT a FROM t WHERE k IN (1, 3) LIMIT 7", PATH)
                .get(0)
                .exact()
                .plan())
        .isInstanceOfSatisfying(
            StatementPlan.QueryPlan.class,
            query ->
                assertThat(((ScatterStrategy.Merge) query.strategy()).sql())
                    .isEqualTo("SELECT a FROM t WHERE k IN (1, 3) LIMIT 7"));
    assertThat(simple(cache, "SELECT a FROM t WHERE k = '6'")).isEqualTo("2");
    assertThat(simple(cache, "SELECT a FROM t WHERE k = 'x'")).isEqualTo("all merge");
    assertThat(simple(cache, "INSERT INTO r VALUES (1, 2, 'x')")).isEqualTo("all same");
    assertThat(simple(cache, "INSERT INTO r VALUES (1, 2, 'Now ')")).isEqualTo("all replay");
    assertThat(simple(cache, "INSERT INTO t (k) VALUES (1), (5)")).isEqualTo("1");
    assertThat(simple(cache, "INSERT INTO t (k) VALUES (1), (6)")).isEqualTo("1,2 splitrows");
    assertThat(simple(cache, "SELECT k, count(*) FROM t GROUP BY 1 HAVING count(*) > 1"))
        .isEqualTo("all merge");
    assertThat(simple(cache, "SELECT k, count(*) FROM t GROUP BY 2 HAVING count(*) > 1"))
        .isEqualTo("all finish");
  }

  @Test
  void anyOrderOfWordsGetsAPlan() {
    MapPlans cache = cache();
    Random random = new Random(SEED);
    for (int i = 0; i < TEXTS; i++) {
      String sql = soup(random, 1 + random.nextInt(25));
      List<String> statements = StatementSplitter.split(sql);
      List<SimpleStatement> planned = cache.planSimple(sql, PATH);
      assertThat(planned).as(sql).hasSameSizeAs(statements);
      for (int each = 0; each < statements.size(); each++) {
        String statement = statements.get(each);
        // One in parentheses ends no statement, but is none of what is planned.
        if (!statement.contains(";")) {
          assertThat(planned.get(each).planned().sql()).as(sql).isEqualTo(statement);
        }
      }
      assertThat(cache.planParse(sql, PATH)).as(sql).isNotNull();
    }
  }

  @Test
  void nestedQueriesAreReadOnce() {
    String with = "SELECT 1";
    String group = "SELECT 1";
    String conflict = "SELECT 1";
    for (int i = 0; i < 40; i++) {
      with = "WITH x AS (" + with + ") SELECT 1";
      group = "SELECT 1 GROUP BY (" + group + ")";
      conflict =
          "SELECT (WITH x AS (INSERT INTO t VALUES (1) ON CONFLICT (k)"
              + " DO UPDATE SET a = ("
              + conflict
              + ")) SELECT 1)";
    }
    for (String sql : List.of(with, group, conflict)) {
      assertTimeoutPreemptively(Duration.ofSeconds(20), () -> cache().planParse(sql, PATH));
    }
  }

  private static String soup(Random random, int length) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < length; i++) {
      sql.append(PIECES.get(random.nextInt(PIECES.size())))
          .append(random.nextInt(4) == 0 ? "" : " ");
    }
    return sql.toString();
  }
}
