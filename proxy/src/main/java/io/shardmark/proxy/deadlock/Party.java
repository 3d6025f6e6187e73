package io.shardmark.proxy.deadlock;

import java.util.Comparator;
import java.util.Optional;

/** Who waits or is waited for. */
sealed interface Party {
  /** The party as a transaction of this proxy, if it is one. */
  static Optional<PartyTransaction> of(long proxy, Party party) {
    return party instanceof PartyTransaction one && one.proxy() == proxy
        ? Optional.of(one)
        : Optional.empty();
  }

  /**
   * A transaction of a proxy, on all its shards together, also where it is prepared: there it waits
   * for its decision.
   *
   * @param proxy the number of the run of the proxy that it comes through
   * @param id never used twice in that run
   * @param startMicros when it began, microseconds since 1970 by its proxy's clock; always the same
   *     for one transaction, so all proxies agree who is the youngest
   */
  record PartyTransaction(long proxy, long id, long startMicros) implements Party {
    /** Ids grow with time too: they settle a draw, the same way every time. */
    static final Comparator<PartyTransaction> YOUNGEST_FIRST =
        Comparator.comparingLong(PartyTransaction::startMicros)
            .thenComparingLong(PartyTransaction::proxy)
            .thenComparingLong(PartyTransaction::id)
            .reversed();
  }

  /**
   * What is known from its server only: another client's, or of another proxy that does not show
   * whose it is.
   */
  record Stranger(ServerTransaction transaction) implements Party {}
}
