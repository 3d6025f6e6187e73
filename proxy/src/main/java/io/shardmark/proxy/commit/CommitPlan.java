package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who takes part in a commit, by index of the shard.
 *
 * @param writers shards that were written, in the order in which the transaction touched them; with
 *     two or more, the last is the anchor
 * @param readers shards that were only read
 * @param readerOrder when the readers end
 * @param last shards of either kind whose end lets others go on that have waited for this
 *     transaction: they end when the rows of all other shards are to be seen
 */
public record CommitPlan(
    List<Integer> writers, List<Integer> readers, ReaderOrder readerOrder, ShardSet last) {
  /** When the transactions of the shards that were only read are committed. */
  public enum ReaderOrder {
    /** In the same round as the only writer: READ COMMITTED reads cannot fail at their end. */
    WITH_WRITER,
    /** Before it: a SERIALIZABLE reader may be refused at its COMMIT, and then nothing may stay. */
    BEFORE_WRITER
  }

  /**
   * @throws IllegalArgumentException if a shard is named twice, or a reader both before and after
   *     the writers
   */
  public CommitPlan {
    writers = List.copyOf(writers);
    readers = List.copyOf(readers);
    Set<Integer> all = new HashSet<>(writers);
    all.addAll(readers);
    if (all.size() != writers.size() + readers.size()) {
      throw new IllegalArgumentException(
          "a shard takes part twice: writers " + writers + ", readers " + readers);
    }
    if (readerOrder == ReaderOrder.BEFORE_WRITER && !lastReaders(writers, last).isEmpty()) {
      throw new IllegalArgumentException("readers " + readers + " end first and last: " + last);
    }
  }

  /** Nobody has waited for it. */
  public static CommitPlan of(
      List<Integer> writers, List<Integer> readers, ReaderOrder readerOrder) {
    return new CommitPlan(writers, readers, readerOrder, ShardSet.EMPTY);
  }

  private static ShardSet lastReaders(List<Integer> writers, ShardSet last) {
    return last.isEmpty() || writers.isEmpty() ? ShardSet.EMPTY : last.minus(ShardSet.of(writers));
  }

  /** The readers that end after all writers. */
  ShardSet lastReaders() {
    return lastReaders(writers, last);
  }

  /** The readers that need not wait for the writers. */
  ShardSet earlyReaders() {
    ShardSet all = ShardSet.of(readers);
    return last.isEmpty() ? all : all.minus(lastReaders());
  }

  /** All, ascending. */
  public List<Integer> shards() {
    return ShardSet.of(writers).union(ShardSet.of(readers)).indexes();
  }

  /** Whether the commit needs a gid and the decision table. */
  public boolean isTwoPhase() {
    return writers.size() > 1;
  }

  /**
   * The shard whose commit is the decision.
   *
   * @throws IllegalStateException if the commit is not two-phase
   */
  public int anchor() {
    if (!isTwoPhase()) {
      throw new IllegalStateException("no anchor with writers " + writers);
    }
    return writers.get(writers.size() - 1);
  }

  /** The writers that may be the anchor, which ends first. */
  public List<Integer> anchors() {
    ShardSet early = ShardSet.of(writers).minus(last);
    return early.isEmpty() ? writers : early.indexes();
  }

  /** The same with that writer for the anchor. */
  public CommitPlan withAnchor(int shard) {
    List<Integer> ordered = new ArrayList<>(writers);
    if (!ordered.remove(Integer.valueOf(shard))) {
      throw new IllegalArgumentException("shard " + shard + " is not among " + writers);
    }
    ordered.add(shard);
    return new CommitPlan(ordered, readers, readerOrder, last);
  }

  /** The writers that prepare: all but the anchor. */
  List<Integer> preparing() {
    return writers.subList(0, writers.size() - 1);
  }
}
