package io.shardmark.driver.tpcb;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Condition.ExpectedSum;
import io.shardmark.driver.verify.Conditions;
import java.util.ArrayList;
import java.util.List;

/**
 * What pgbench's transactions conserve: the balances of branches, tellers and accounts, and the
 * amounts in the history, have one sum. Which of these hold depends on the transactions that have
 * run; those that the properties name are taken for them.
 */
final class TpcbConditions implements Conditions {
  private static final String ROWS = "rows";
  private static final String BALANCES = "balances";
  private static final String HISTORY = "history";

  /** Over shards, accounts are added up in so many groups, not one by one. */
  private static final int ACCOUNT_GROUPS = 10_000;

  private final TpcbScale scale;
  private final boolean tellersFollow;
  private final boolean historyFollows;

  TpcbConditions(TpcbScale scale, OperationMix<TpcbScript> mix) {
    this.scale = scale;
    List<TpcbScript> scripts =
        mix.parts().stream().map(OperationMix.WeightedOperation::operation).toList();
    tellersFollow = !scripts.contains(TpcbScript.SIMPLE_UPDATE);
    historyFollows = !scripts.contains(TpcbScript.NO_HISTORY);
  }

  @Override
  public String table() {
    return "pgbench_branches";
  }

  @Override
  public List<Condition> all(DatabaseKind kind) {
    List<Condition> all = new ArrayList<>();
    all.add(branchOf("pgbench_tellers", "tid", scale.tellersPerBranch()));
    all.add(branchOf("pgbench_accounts", "aid", scale.accountsPerBranch()));
    all.add(ids("pgbench_branches", "bid", scale.branches()));
    all.add(ids("pgbench_tellers", "tid", scale.tellers()));
    all.add(ids("pgbench_accounts", "aid", scale.accounts()));
    all.add(equalBalances("branches", "tellers"));
    if (tellersFollow) {
      all.add(equalBalances("tellers", "accounts"));
    }
    if (historyFollows && tellersFollow) {
      all.add(history("branches", "bid"));
      all.add(history("tellers", "tid"));
    }
    if (historyFollows) {
      all.add(
          history("accounts", "aid")
              .withShardSql(historySql("accounts", "aid % " + ACCOUNT_GROUPS)));
    }
    return all;
  }

  private static Condition branchOf(String table, String id, int perBranch) {
    return Condition.always(
        ROWS,
        "%s: the branch of an id is (id - 1) / %d + 1, and a balance is there"
            .formatted(table, perBranch),
        2,
        1,
        "SELECT %1$s, bid FROM %2$s WHERE bid IS DISTINCT FROM (%1$s - 1) / %3$d + 1 OR %4$s IS NULL"
            .formatted(id, table, perBranch, balanceOf(id)));
  }

  private Condition ids(String table, String id, long count) {
    return Condition.ids(ROWS, table, id, count, scale.toString(), count > 1000 ? 2 : 1);
  }

  private static Condition equalBalances(String one, String other) {
    return Condition.ofSums(
        BALANCES,
        "the balances of %s and of %s have the same sum".formatted(one, other),
        2,
        0,
        "SELECT %1$s - %2$s AS difference, %1$s AS %3$s, %2$s AS %4$s"
            .formatted(sumOf(one), sumOf(other), one, other),
        ExpectedSum.of("difference", 0));
  }

  private static String sumOf(String table) {
    return "(SELECT coalesce(sum(%s), 0) FROM pgbench_%s)".formatted(balanceOf(table), table);
  }

  /** The column begins as a table's name and its id do. */
  private static String balanceOf(String name) {
    return name.charAt(0) + "balance";
  }

  private static Condition history(String table, String key) {
    return Condition.ofSums(
        HISTORY,
        "the amounts in the history have the sums of the balances of %s, id by id".formatted(table),
        4,
        1,
        historySql(table, key),
        ExpectedSum.of("difference", 0));
  }

  private static String historySql(String table, String key) {
    return """
        SELECT id, sum(balance) - sum(delta) AS difference, sum(balance) AS balance,
               sum(delta) AS history
          FROM (SELECT %2$s AS id, coalesce(%3$s, 0)::bigint AS balance, 0::bigint AS delta
                  FROM pgbench_%1$s
                UNION ALL
                SELECT coalesce(%2$s, 0), 0, coalesce(delta, 0) FROM pgbench_history) rows
         GROUP BY id
        """
        .formatted(table, key, balanceOf(table));
  }
}
