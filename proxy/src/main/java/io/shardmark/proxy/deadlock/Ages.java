package io.shardmark.proxy.deadlock;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is the youngest. All proxies that know the same transactions give the same answer, since each
 * transaction has one start, announced by its own proxy. Immutable.
 *
 * @param starts when the transactions of all proxies began, as far as they are known
 */
record Ages(Map<Party.Transaction, Long> starts, long ownProxy) {
  Ages {
    starts = Map.copyOf(starts);
  }

  /** This proxy's own of these parties, the youngest first. */
  List<Party.Transaction> ownYoungestFirst(Collection<Party> parties) {
    return parties.stream()
        .filter(Party.Transaction.class::isInstance)
        .map(Party.Transaction.class::cast)
        .filter(one -> one.proxy() == ownProxy && starts.containsKey(one))
        .sorted(youngestFirst())
        .toList();
  }

  private Comparator<Party.Transaction> youngestFirst() {
    // Ids grow with time too: they settle a draw, the same way every time.
    return Comparator.comparing((Party.Transaction one) -> starts.getOrDefault(one, 0L))
        .thenComparing(Party.Transaction::proxy)
        .thenComparing(Party.Transaction::id)
        .reversed();
  }

  /**
   * How many others in a cycle somebody else would rather cancel, or might: those of other proxies
   * that are younger than the one that waits first in the cycle, and those that nothing is known
   * of.
   */
  int othersBefore(List<WaitEdge> cycle) {
    Party chosen = cycle.get(0).waiter();
    Set<Party> before = new HashSet<>();
    for (WaitEdge edge : cycle) {
      Party party = edge.waiter();
      if (!(party instanceof Party.Transaction other)
          || !starts.containsKey(other)
          || (other.proxy() != ownProxy
              && chosen instanceof Party.Transaction own
              && youngestFirst().compare(other, own) < 0)) {
        before.add(party);
      }
    }
    return before.size();
  }
}
