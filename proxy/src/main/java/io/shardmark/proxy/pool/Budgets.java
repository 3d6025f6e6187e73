package io.shardmark.proxy.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the pools of all event loops share, by user. Any thread. */
public final class Budgets {
  private final int loops;
  private final Map<String, BudgetOfUser> users = new ConcurrentHashMap<>();

  /**
   * One user's connections to all shards.
   *
   * @param loops how many event loops have pools of that user
   */
  record BudgetOfUser(
      Reserve reserve,
      Map<Integer, ConnectionBudget> byShard,
      ReportedParameters parameters,
      int loops) {
    private BudgetOfUser with(int number) {
      return new BudgetOfUser(reserve, byShard, parameters, number);
    }
  }

  public Budgets(int loops) {
    this.loops = loops;
  }

  /** Of one user's connections to that shard. */
  ConnectionBudget of(BudgetOfUser user, int shard) {
    return user.byShard().computeIfAbsent(shard, first -> new ConnectionBudget(loops));
  }

  /** What a loop shares with the others that have pools of that user. */
  BudgetOfUser join(String user) {
    return users.compute(
        user, (name, known) -> known == null ? newUser() : known.with(known.loops() + 1));
  }

  /** A loop has thrown its pools of that user away. */
  void leave(String user) {
    users.computeIfPresent(
        user, (name, known) -> known.loops() == 1 ? null : known.with(known.loops() - 1));
  }

  private BudgetOfUser newUser() {
    return new BudgetOfUser(new Reserve(), new ConcurrentHashMap<>(), new ReportedParameters(), 1);
  }
}
