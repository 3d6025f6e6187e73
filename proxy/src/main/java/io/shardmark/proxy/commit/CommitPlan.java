package io.shardmark.proxy.commit;

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
 */
public record CommitPlan(List<Integer> writers, List<Integer> readers, ReaderOrder readerOrder) {
  /** When the transactions of the shards that were only read are committed. */
  public enum ReaderOrder {
    /** In the same round as the only writer: READ COMMITTED reads cannot fail at their end. */
    WITH_WRITER,
    /** Before it: a SERIALIZABLE reader may be refused at its COMMIT, and then nothing may stay. */
    BEFORE_WRITER
  }

  /**
   * @throws IllegalArgumentException if a shard is named twice
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

  /** The same with that writer for the anchor. */
  public CommitPlan withAnchor(int shard) {
    List<Integer> ordered = new ArrayList<>(writers);
    if (!ordered.remove(Integer.valueOf(shard))) {
      throw new IllegalArgumentException("shard " + shard + " is not among " + writers);
    }
    ordered.add(shard);
    return new CommitPlan(ordered, readers, readerOrder);
  }

  /** The writers that prepare: all but the anchor. */
  List<Integer> preparing() {
    return writers.subList(0, writers.size() - 1);
  }
}
