package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.merge.RowCount;
import io.shardmark.proxy.merge.RowWindow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each shard is asked, and how the answers are merged. */
class MergedTextTest {
  private static ScatterStrategy strategy(String sql) {
    MapPlans cache =
        new PlanCache(
                (text, tokens, map, path) ->
                    new StatementPlan.Ddl(
                        List.of(), true, true, StatementPlan.Ddl.Unknown.NOTHING, Set.of(), false))
            .of(TestCluster.map());
    StatementPlan.Query query =
        (StatementPlan.Query) cache.planParse(sql, List.of("public")).plan();
    return query.strategy();
  }

  private static void check(String sql, String shardSql, MergeSpec spec) {
    ScatterStrategy.Merge merge = (ScatterStrategy.Merge) strategy(sql);
    assertThat(merge.sql().strip()).isEqualTo(shardSql);
    assertThat(merge.spec()).isEqualTo(spec);
  }

  private static RowWindow window(long limit, long offset) {
    return new RowWindow(new RowCount.Constant(limit), new RowCount.Constant(offset));
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
            RowWindow.ALL,
            0));
  }

  @Test
  void orderBySomethingElseAddsAColumnAtTheEnd() {
    check(
        "SELECT name FROM t ORDER BY b + 1, k LIMIT 3 OFFSET 2",
        "SELECT name, b + 1 AS shardmark_1, k AS shardmark_2 FROM t ORDER BY b + 1, k  LIMIT 5",
        new MergeSpec(
            List.of(new OrderItem(-2, false, false, false), new OrderItem(-1, false, false, true)),
            window(3, 2),
            2));
  }

  @Test
  void limitAndOffsetMayBeParameters() {
    check(
        "SELECT a FROM t ORDER BY a LIMIT $1 OFFSET $2",
        "SELECT a FROM t ORDER BY a  LIMIT CASE WHEN $1::bigint = 0 THEN 0 ELSE"
            + " greatest(least($1::bigint::numeric + $2::bigint, 9223372036854775807), 0)::bigint"
            + " END",
        new MergeSpec(
            List.of(new OrderItem(0, false, false, true)),
            new RowWindow(new RowCount.Parameter(0), new RowCount.Parameter(1)),
            0));
  }

  private static FinalQuery last(ScatterStrategy.Finish finish) {
    return (FinalQuery) finish.last();
  }

  private static void checkComputed(String sql, String shardSql, String last) {
    ScatterStrategy.Finish finish = (ScatterStrategy.Finish) strategy(sql);
    assertThat(finish.sql()).isEqualTo(shardSql);
    assertThat(last(finish).select() + " FROM x" + last(finish).rest())
        .isEqualTo(last.replaceAll("#(\\d)", "\"shardmark $1\""));
  }

  @Test
  void groupsAreAskedWithoutLimitButKeepTheirParameters() {
    checkComputed(
        "SELECT a, count(*) FROM t GROUP BY a ORDER BY 2 DESC LIMIT $1",
        "SELECT a, count(*) FROM t GROUP BY (a) LIMIT CASE WHEN $1::bigint = 0 THEN 0::bigint END",
        "SELECT #1 AS \"a\", #2 AS \"count\" FROM x ORDER BY 2 DESC NULLS FIRST LIMIT $1");
  }

  @Test
  void averagesNeedTheirSumAndCount() {
    checkComputed(
        "SELECT avg(a) FILTER (WHERE b > 1) AS x FROM t",
        "SELECT avg(a) FILTER (WHERE b > 1), pg_catalog.sum(a) FILTER (WHERE b > 1),"
            + " pg_catalog.count(a) FILTER (WHERE b > 1) FROM t",
        "SELECT #1 AS \"x\" FROM x");
  }

  @Test
  void groupsThatAreNotSelectedAreAdded() {
    checkComputed(
        "SELECT max(name) FROM t GROUP BY a, a % 2",
        "SELECT a, a % 2, max(name) FROM t GROUP BY (a), (a % 2)", "SELECT #3 AS \"max\" FROM x");
  }

  @Test
  void aggregatesThatAreNotCombinedAreGivenTheirRows() {
    checkComputed(
        "SELECT a, count(DISTINCT name), sum(b + 1) FROM t WHERE b > 2 GROUP BY a HAVING max(b) > 3",
        "SELECT a, name, b FROM t WHERE b > 2",
        "SELECT #1 AS \"a\", count(DISTINCT #2) AS \"count\", sum(#3 + 1) AS \"sum\" FROM x"
            + " GROUP BY (#1) HAVING max(#3) > 3");
    checkComputed(
        "SELECT count(DISTINCT name) FROM t",
        "SELECT DISTINCT name FROM t",
        "SELECT count(DISTINCT #1) AS \"count\" FROM x");
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
    checkComputed(
        "SELECT a, name AS n FROM t ORDER BY n DESC, 1, 'x' LIMIT 3 OFFSET 2",
        "SELECT a, name FROM t ORDER BY (name) DESC NULLS FIRST, (a) ASC NULLS LAST LIMIT 5 ",
        "SELECT #1 AS \"a\", #2 AS \"n\" FROM x ORDER BY \"n\" DESC NULLS FIRST, 1 ASC NULLS LAST,"
            + " 'x' ASC NULLS LAST LIMIT 3 OFFSET 2");
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
    checkComputed(
        "SELECT DISTINCT a FROM t LIMIT 3",
        "SELECT DISTINCT a FROM t",
        "SELECT DISTINCT #1 AS \"a\" FROM x LIMIT 3");
  }

  @Test
  void starKeepsAddedColumnsBehindIt() {
    check(
        "SELECT * FROM t WHERE a > 1 ORDER BY b DESC NULLS LAST",
        "SELECT * FROM t WHERE a > 1 ORDER BY b DESC NULLS LAST",
        new MergeSpec(List.of(new OrderItem(2, true, false, true)), RowWindow.ALL, 0));
  }

  @Test
  void rowsOfAnInsertAreCutWithTheirParameters() {
    MapPlans cache =
        new PlanCache(
                (text, tokens, map, path) ->
                    new StatementPlan.Ddl(
                        List.of(), true, true, StatementPlan.Ddl.Unknown.NOTHING, Set.of(), false))
            .of(TestCluster.map());
    String sql =
        "INSERT INTO t (k, a) VALUES ($1, $2), ($3, f(1, ')')), ($5, $4) ON CONFLICT DO NOTHING";
    String known = sql.replace("f(1, ')')", "length(')')");
    StatementPlan.Query query =
        (StatementPlan.Query) cache.planParse(known, List.of("public")).plan();
    RowSplit split = ((ScatterStrategy.SplitRows) query.strategy()).split();
    assertThat(split.rowKeys())
        .containsExactly(
            new KeyExpression.Parameter(0),
            new KeyExpression.Parameter(2),
            new KeyExpression.Parameter(4));
    assertThat(split.part(List.of(1, 2)))
        .isEqualTo(
            new RowSplit.Part(
                "INSERT INTO t (k, a) VALUES ($1, length(')')), ($2, $3) ON CONFLICT DO NOTHING",
                List.of(2, 4, 3)));
    assertThat(split.part(List.of(0)))
        .isEqualTo(
            new RowSplit.Part(
                "INSERT INTO t (k, a) VALUES ($1, $2) ON CONFLICT DO NOTHING", List.of(0, 1)));
  }
}
