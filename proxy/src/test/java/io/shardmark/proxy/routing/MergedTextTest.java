package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.sql.KeyExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each shard is asked, and how the answers are merged. */
class MergedTextTest {
  private static ScatterStrategy strategy(String sql) {
    MapPlans cache = new PlanCache(TestCluster.DDL).of(TestCluster.map());
    StatementPlan.QueryPlan query =
        (StatementPlan.QueryPlan) cache.planParse(sql, List.of("public")).plan();
    return query.strategy();
  }

  private static void check(String sql, String shardSql, MergeSpec spec) {
    ScatterStrategy.Merge merge = (ScatterStrategy.Merge) strategy(sql);
    assertThat(merge.sql().strip()).isEqualTo(shardSql);
    assertThat(merge.spec()).isEqualTo(spec);
  }

  @Test
  void plainRowsPassAsTheyAre() {
    check("SELECT a FROM t", "SELECT a FROM t", MergeSpec.CONCATENATION);
  }

  @Test
  void orderByASelectedColumnNeedsNoFurtherOne() {
    check(
        "SELECT a, b FROM t ORDER BY 2 DESC, a",
        "SELECT a, b FROM t ORDER BY 2 DESC, a",
        new MergeSpec(
            List.of(new OrderItem(1, true, true, true), new OrderItem(0, false, false, true)),
            0,
            Long.MAX_VALUE,
            0));
  }

  @Test
  void orderBySomethingElseAddsAColumnAtTheEnd() {
    check(
        "SELECT name FROM t ORDER BY b + 1, k LIMIT 3 OFFSET 2",
        "SELECT name, b + 1 AS shardmark_1, k AS shardmark_2 FROM t ORDER BY b + 1, k LIMIT 5",
        new MergeSpec(
            List.of(new OrderItem(-2, false, false, false), new OrderItem(-1, false, false, true)),
            2,
            3,
            2));
  }

  @Test
  void limitAndOffsetMayBeParameters() {
    ScatterStrategy.Merge merge =
        (ScatterStrategy.Merge) strategy("SELECT a FROM t ORDER BY a LIMIT $1 OFFSET $2");
    assertThat(merge.sql())
        .isEqualTo(
            "SELECT a FROM t ORDER BY a LIMIT CASE WHEN $1::bigint = 0 THEN 0 ELSE"
                + " greatest(least($1::bigint::numeric + $2::bigint, 9223372036854775807), 0)::bigint"
                + " END");
    List<@Nullable Long> values = new ArrayList<>(Arrays.asList(3L, 2L));
    assertThat(merge.with(values::get).spec())
        .isEqualTo(new MergeSpec(List.of(new OrderItem(0, false, false, true)), 2, 3, 0));
    values.set(0, null);
    assertThat(merge.with(values::get).spec().limit()).isEqualTo(Long.MAX_VALUE);
  }

  private static void checkComputed(String sql, String shardSql, String last) {
    ScatterStrategy.Finish finish = (ScatterStrategy.Finish) strategy(sql);
    assertThat(finish.sql()).isEqualTo(shardSql);
    FinalQuery query = (FinalQuery) finish.last();
    assertThat(query.select() + String.join(", ", query.items()) + " FROM x" + query.rest())
        .isEqualTo(marked(last));
  }

  private static String marked(String text) {
    return text.replaceAll("#(\\d)", "\"shardmark $1\"");
  }

  /** The last server gets rows under the client's names, and the client's words. */
  private static void checkRows(String sql, String shardSql, String alias, String... pieces) {
    ScatterStrategy.Finish finish = (ScatterStrategy.Finish) strategy(sql);
    assertThat(finish.sql().strip()).isEqualTo(marked(shardSql));
    GatheredTables last = (GatheredTables) finish.last();
    assertThat(last.pieces()).containsExactly(pieces);
    assertThat(last.tables().get(0).alias()).isEqualTo(marked(alias));
  }

  @Test
  void allGroupsAreAskedButForALimitOfNoRows() {
    checkComputed(
        "SELECT a, count(*) FROM t GROUP BY a ORDER BY 2 DESC LIMIT $1",
        "SELECT a, count(*) FROM t GROUP BY (a) LIMIT CASE WHEN $1::bigint = 0 THEN 0 END",
        "SELECT #1, #2 FROM x ORDER BY 2 DESC NULLS FIRST LIMIT $1");
  }

  @Test
  void averagesNeedTheirSumAndCount() {
    checkComputed(
        "SELECT avg(a) FILTER (WHERE b > 1) AS x FROM t",
        "SELECT avg(a) FILTER (WHERE b > 1), pg_catalog.sum(a) FILTER (WHERE b > 1),"
            + " pg_catalog.count(a) FILTER (WHERE b > 1) FROM t",
        "SELECT #1 FROM x");
  }

  @Test
  void groupsThatAreNotSelectedAreAdded() {
    checkComputed(
        "SELECT max(name) FROM t GROUP BY a, a % 2",
        "SELECT a, a % 2, max(name) FROM t GROUP BY (a), (a % 2)", "SELECT #3 FROM x");
  }

  @Test
  void aggregatesThatAreNotCombinedAreGivenTheirRows() {
    checkRows(
        "SELECT a, count(DISTINCT name), sum(b + 1) FROM t WHERE b > 2 GROUP BY a HAVING max(b) >"
            + " 3",
        "SELECT \"t\".\"a\" AS #1, \"t\".\"b\" AS #2, \"t\".\"name\" AS #3 FROM t WHERE b > 2",
        "\"shardmark\" (#1, #2, #3) CROSS JOIN LATERAL (SELECT #1, #2, #3) AS \"t\""
            + " (\"a\", \"b\", \"name\")",
        "SELECT a, count(DISTINCT name), sum(b + 1) FROM ",
        " GROUP BY a HAVING max(b) > 3");
    checkRows(
        "SELECT count(DISTINCT name) FROM t",
        "SELECT DISTINCT \"t\".\"name\" AS #1 FROM t",
        "\"shardmark\" (#1) CROSS JOIN LATERAL (SELECT #1) AS \"t\" (\"name\")",
        "SELECT count(DISTINCT name) FROM ",
        "");
  }

  @Test
  void groupsByShardingColumnPassAsTheyAre() {
    check(
        "SELECT count(*) FROM t GROUP BY k HAVING count(*) > 1",
        "SELECT count(*) FROM t GROUP BY k HAVING count(*) > 1",
        MergeSpec.CONCATENATION);
  }

  @Test
  void theFirstTextsOfAnyCollationAreOrderedByAServer() {
    checkRows(
        "SELECT a, name AS n FROM t ORDER BY n DESC, 1, 'x' LIMIT 3 OFFSET 2",
        "SELECT \"t\".\"a\" AS #1, \"t\".\"name\" AS #2 FROM t"
            + " ORDER BY (name) DESC NULLS FIRST, (a) ASC NULLS LAST LIMIT 5",
        "\"shardmark\" (#1, #2) CROSS JOIN LATERAL (SELECT #1, #2) AS \"t\" (\"a\", \"name\")",
        "SELECT a, name AS n FROM ",
        " ORDER BY n DESC, 1, 'x' LIMIT 3 OFFSET 2");
  }

  @Test
  void rowsStandForTablesThatAreJoinedOtherwise() {
    ScatterStrategy.Finish finish =
        (ScatterStrategy.Finish)
            strategy("SELECT x.name FROM t x JOIN u ON x.a = u.x WHERE x.b > 2 AND u.k + x.k > 1");
    assertThat(finish.sql())
        .isEqualTo(
            "SELECT 0, \"x\".\"k\"::pg_catalog.text, \"x\".\"a\"::pg_catalog.text,"
                + " \"x\".\"b\"::pg_catalog.text, \"x\".\"name\"::pg_catalog.text"
                + " FROM t x WHERE (x.b > 2)"
                + " UNION ALL SELECT 1, \"u\".\"k\"::pg_catalog.text,"
                + " \"u\".\"x\"::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text"
                + " FROM u");
    assertThat(((GatheredTables) finish.last()).pieces())
        .containsExactly(
            "SELECT x.name FROM ", " JOIN ", " ON x.a = u.x WHERE x.b > 2 AND u.k + x.k > 1");
  }

  @Test
  void distinctRowsAreAskedWithoutLimit() {
    checkRows(
        "SELECT DISTINCT a FROM t LIMIT 3",
        "SELECT DISTINCT \"t\".\"a\" AS #1 FROM t",
        "\"shardmark\" (#1) CROSS JOIN LATERAL (SELECT #1) AS \"t\" (\"a\")",
        "SELECT DISTINCT a FROM ",
        " LIMIT 3");
  }

  /** 1.0 and 1.00 are equal, and their texts are not. */
  @Test
  void equalRowsAreKeptWhereSomethingTellsThemApart() {
    for (String sql :
        List.of(
            "SELECT DISTINCT amount, amount::text FROM t",
            "SELECT count(DISTINCT amount), count(DISTINCT amount::text) FROM t",
            "SELECT count(DISTINCT amount) FILTER (WHERE amount::text = '1.0') FROM t",
            "SELECT count(DISTINCT amount) FROM t GROUP BY amount::text")) {
      assertThat(((ScatterStrategy.Finish) strategy(sql)).sql())
          .isEqualTo("SELECT \"t\".\"amount\" AS \"shardmark 1\" FROM t");
    }
  }

  @Test
  void starKeepsAddedColumnsBehindIt() {
    check(
        "SELECT * FROM t WHERE a > 1 ORDER BY b DESC NULLS LAST",
        "SELECT * FROM t WHERE a > 1 ORDER BY b DESC NULLS LAST",
        new MergeSpec(List.of(new OrderItem(2, true, false, true)), 0, Long.MAX_VALUE, 0));
  }

  @Test
  void rowsOfAnInsertAreCutWithTheirParameters() {
    MapPlans cache = new PlanCache(TestCluster.DDL).of(TestCluster.map());
    String sql =
        "INSERT INTO t (k, a) VALUES ($1, $2), ($3, f(1, ')')), ($5, $4) ON CONFLICT DO NOTHING";
    String known = sql.replace("f(1, ')')", "length(')')");
    StatementPlan.QueryPlan query =
        (StatementPlan.QueryPlan) cache.planParse(known, List.of("public")).plan();
    RowSplit split = ((ScatterStrategy.SplitRows) query.strategy()).split();
    assertThat(split.rowKeys())
        .containsExactly(
            new KeyExpression.Parameter(0),
            new KeyExpression.Parameter(2),
            new KeyExpression.Parameter(4));
    assertThat(split.part(List.of(1, 2)))
        .isEqualTo(
            new RowSplit.SplitPart(
                "INSERT INTO t (k, a) VALUES ($1, length(')')), ($2, $3) ON CONFLICT DO NOTHING",
                List.of(2, 4, 3)));
    assertThat(split.part(List.of(0)))
        .isEqualTo(
            new RowSplit.SplitPart(
                "INSERT INTO t (k, a) VALUES ($1, $2) ON CONFLICT DO NOTHING", List.of(0, 1)));
  }
}
