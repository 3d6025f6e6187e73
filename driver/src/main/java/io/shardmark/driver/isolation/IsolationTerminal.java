package io.shardmark.driver.isolation;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.isolation.ListTransaction.Access;
import io.shardmark.driver.isolation.ListTransaction.Action;
import io.shardmark.driver.isolation.ListTransaction.End;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Draws transactions over the lists that are in use. */
record IsolationTerminal(IsolationWorkload workload, SplittableRandom random) implements Terminal {
  private static final int MOST_LISTS = 4;

  /** One in so many transactions is rolled back on purpose. */
  private static final int ROLLBACKS = 20;

  @Override
  public Transaction next() {
    ListType type = ListType.drawn(random);
    TreeSet<Integer> lists = new TreeSet<>();
    int count = 2 + random.nextInt(Math.min(MOST_LISTS, workload.listsInUse()) - 1);
    while (lists.size() < count) {
      lists.add(workload.list(random.nextInt(workload.listsInUse())));
    }
    List<Access> accesses = new ArrayList<>();
    for (int list : lists) {
      if (type != ListType.APPEND) {
        accesses.add(read(list, lists));
      }
      if (type == ListType.APPEND || (type == ListType.READ_APPEND && random.nextBoolean())) {
        accesses.add(new Access(Action.APPEND, list, list));
      }
    }
    return new ListTransaction(
        type.transactionType(),
        accesses,
        random.nextInt(ROLLBACKS) == 0 ? End.ROLLBACK : End.COMMIT,
        workload.isDistributed(accesses));
  }

  private Access read(int list, TreeSet<Integer> lists) {
    Integer other = lists.higher(list);
    return other == null || random.nextBoolean()
        ? new Access(Action.READ, list, list)
        : new Access(Action.READ_TWO, list, other);
  }

  @Override
  public boolean goesOn() {
    return workload.goesOn();
  }
}
