package io.shardmark.driver.tpcb;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.CrossShardCondition;
import io.shardmark.driver.verify.SumCondition;
import io.shardmark.driver.verify.SumCondition.Figure;
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

  private static final String SUM_OF_BRANCHES =
      "(SELECT coalesce(sum(bbalance), 0) FROM pgbench_branches)";
  private static final String SUM_OF_TELLERS =
      "(SELECT coalesce(sum(tbalance), 0) FROM pgbench_tellers)";
  private static final String SUM_OF_ACCOUNTS =
      "(SELECT coalesce(sum(abalance), 0) FROM pgbench_accounts)";

  /** Over shards, accounts are added up in so many groups, not one by one. */
  private static final int ACCOUNT_GROUPS = 10_000;

  private final TpcbScale scale;
  private final boolean tellersFollow;
  private final boolean historyFollows;

  TpcbConditions(TpcbScale scale, OperationMix<TpcbScript> mix) {
    this.scale = scale;
    List<TpcbScript> scripts = mix.parts().stream().map(OperationMix.Part::operation).toList();
    tellersFollow = !scripts.contains(TpcbScript.SIMPLE_UPDATE);
    historyFollows = !scripts.contains(TpcbScript.NO_HISTORY);
  }

  @Override
  public String table() {
    return "pgbench_branches";
  }

  @Override
  public List<Condition> all(DatabaseKind kind) {
    List<Condition> all = new ArrayList<>(branchOfRows());
    sums().forEach(condition -> all.add(condition.onOneServer()));
    if (historyFollows) {
      all.add(historyOfAccounts("aid").onOneServer());
    }
    return all;
  }

  @Override
  public List<CrossShardCondition> overShards(int shards) {
    List<SumCondition> all = sums();
    if (historyFollows) {
      all.add(historyOfAccounts("aid % " + ACCOUNT_GROUPS));
    }
    return all.stream().map(SumCondition::overShards).toList();
  }

  /** Each shard can tell of its own rows. */
  private List<Condition> branchOfRows() {
    return List.of(
        branchOf("pgbench_tellers", "tid", scale.tellersPerBranch()),
        branchOf("pgbench_accounts", "aid", scale.accountsPerBranch()));
  }

  private static Condition branchOf(String table, String id, int perBranch) {
    return Condition.always(
        ROWS,
        "%s: the branch of an id is (id - 1) / %d + 1, and a balance is there"
            .formatted(table, perBranch),
        2,
        1,
        "SELECT %1$s, bid FROM %2$s WHERE bid IS DISTINCT FROM (%1$s - 1) / %3$d + 1 OR %4$s IS NULL"
            .formatted(id, table, perBranch, id.charAt(0) + "balance"));
  }

  private List<SumCondition> sums() {
    List<SumCondition> sums = new ArrayList<>();
    sums.add(ids("pgbench_branches", "bid", scale.branches()));
    sums.add(ids("pgbench_tellers", "tid", scale.tellers()));
    sums.add(ids("pgbench_accounts", "aid", scale.accounts()));
    sums.add(equalBalances("branches", SUM_OF_BRANCHES, "tellers", SUM_OF_TELLERS));
    if (tellersFollow) {
      sums.add(equalBalances("tellers", SUM_OF_TELLERS, "accounts", SUM_OF_ACCOUNTS));
    }
    if (historyFollows && tellersFollow) {
      sums.add(history("branches", "bid", "bbalance"));
      sums.add(history("tellers", "tid", "tbalance"));
    }
    return sums;
  }

  private SumCondition ids(String table, String id, long count) {
    return SumCondition.ids(ROWS, table, id, count, scale.toString(), count > 1000 ? 2 : 1);
  }

  private static SumCondition equalBalances(
      String oneName, String one, String otherName, String other) {
    return new SumCondition(
        BALANCES,
        "the balances of %s and of %s have the same sum".formatted(oneName, otherName),
        0,
        "SELECT %s - %s AS difference, %s AS %s, %s AS %s"
            .formatted(one, other, one, oneName, other, otherName),
        List.of(Figure.of("difference", 0)),
        2);
  }

  private static SumCondition historyOfAccounts(String key) {
    return history("accounts", key, "abalance");
  }

  private static SumCondition history(String table, String key, String balance) {
    return new SumCondition(
        HISTORY,
        "the amounts in the history have the sums of the balances of %s, id by id".formatted(table),
        1,
        """
        SELECT id, sum(balance) - sum(delta) AS difference, sum(balance) AS balance,
               sum(delta) AS history
          FROM (SELECT %2$s AS id, coalesce(%3$s, 0)::bigint AS balance, 0::bigint AS delta
                  FROM pgbench_%1$s
                UNION ALL
                SELECT coalesce(%2$s, 0), 0, coalesce(delta, 0) FROM pgbench_history) rows
         GROUP BY id
        """
            .formatted(table, key, balance),
        List.of(Figure.of("difference", 0)),
        4);
  }
}
