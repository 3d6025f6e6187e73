package io.shardmark.proxy.deadlock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one look at all shards has shown, and for how many looks in a row each wait has been there.
 * Pure; belongs to one thread.
 */
final class PollRound {
  /** How often in a row something must have been seen to count. */
  private static final int ENOUGH = 2;

  /** A part of a transaction, as the directory says and a server. */
  private record Part(Party.Transaction whole, ServerTransaction part) {}

  private final Map<WaitEdge, LockWait> waits = new HashMap<>();
  private final Map<WaitEdge, Integer> seen = new HashMap<>();
  private final Map<Part, Integer> parts = new HashMap<>();

  /** A look that has shown nothing. */
  PollRound() {}

  /**
   * @param before the look before this one
   */
  PollRound(Collection<LockWait> found, Parties naming, PollRound before) {
    for (LockWait wait : found) {
      WaitEdge edge = naming.edge(wait);
      if (waits.putIfAbsent(edge, wait) == null) {
        seen.put(edge, before.seen.getOrDefault(edge, 0) + 1);
        addPart(edge.waiter(), edge.identity().waiting(), before);
        addPart(edge.blocker(), edge.identity().blocking(), before);
      }
    }
  }

  private void addPart(Party whole, ServerTransaction part, PollRound before) {
    if (whole instanceof Party.Transaction transaction) {
      Part key = new Part(transaction, part);
      parts.put(key, before.parts.getOrDefault(key, 0) + 1);
    }
  }

  /** The wait behind an edge of this look. */
  LockWait behind(WaitEdge edge) {
    LockWait wait = waits.get(edge);
    if (wait == null) {
      throw new IllegalStateException("no wait is behind " + edge);
    }
    return wait;
  }

  /**
   * The deadlocks that this proxy has to break now, in each the victim's wait first.
   *
   * @param patience how many looks each member gets that another proxy would rather cancel, or
   *     might
   */
  List<List<WaitEdge>> deadlocks(Ages ages, int patience) {
    Set<WaitEdge> lasting = new HashSet<>();
    Set<Party> waiters = new HashSet<>();
    seen.forEach(
        (edge, looks) -> {
          if (looks >= ENOUGH) {
            lasting.add(edge);
            waiters.add(edge.waiter());
          }
        });
    return new WaitGraph(lasting)
        .deadlocks(
            ages.ownYoungestFirst(waiters),
            cycle -> looksAt(cycle) >= ENOUGH + patience * ages.othersBefore(cycle));
  }

  private int looksAt(List<WaitEdge> cycle) {
    return cycle.stream().mapToInt(edge -> seen.getOrDefault(edge, 0)).min().orElse(0);
  }

  /** What has just been cut must be seen anew before it is cut again. */
  void forget(Party victim) {
    seen.keySet().removeIf(edge -> edge.waiter().equals(victim));
  }

  /** Transactions of this proxy that may be in one cycle with those of others. */
  Set<Party.Transaction> concerned(long ownProxy) {
    return new WaitGraph(waits.keySet())
        .between(party -> !isOwn(party, ownProxy)).stream()
            .filter(party -> isOwn(party, ownProxy))
            .map(Party.Transaction.class::cast)
            .collect(Collectors.toSet());
  }

  private static boolean isOwn(Party party, long ownProxy) {
    return party instanceof Party.Transaction transaction && transaction.proxy() == ownProxy;
  }

  /**
   * What to say of these transactions, by the shard on which it is said: where the transaction
   * waits, since no proxy can see a cycle through it without asking that shard. Only what two looks
   * have seen: the directory is read later than the server, and the process may have changed hands
   * between the two.
   *
   * @param names of a server's transaction, "" where it has none
   */
  Map<Integer, List<String>> announcements(
      Set<Party.Transaction> concerned, Ages ages, Function<ServerTransaction, String> names) {
    Map<Party.Transaction, Set<Integer>> shards = new HashMap<>();
    for (WaitEdge edge : waits.keySet()) {
      if (edge.waiter() instanceof Party.Transaction waiter) {
        shards.computeIfAbsent(waiter, party -> new HashSet<>()).add(edge.shard());
      }
    }
    Map<Integer, List<String>> byShard = new HashMap<>();
    parts.forEach(
        (part, looks) -> {
          Long start = ages.starts().get(part.whole());
          String name = names.apply(part.part());
          if (looks >= ENOUGH
              && start != null
              && !name.isEmpty()
              && concerned.contains(part.whole())) {
            String text = new Announcement(part.whole(), start, name).text();
            for (int shard : shards.getOrDefault(part.whole(), Set.of())) {
              byShard.computeIfAbsent(shard, index -> new ArrayList<>()).add(text);
            }
          }
        });
    return byShard;
  }
}
