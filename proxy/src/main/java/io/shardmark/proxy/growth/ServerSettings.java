package io.shardmark.proxy.growth;

import java.util.Optional;

/** What matters of a server for moves of partitions. */
record ServerSettings(
    String walLevel,
    Role role,
    int freeSlots,
    int freeSenders,
    int preparedTransactions,
    int replicationWorkers) {
  private static final int LEAST_SLOTS = 1;

  enum Side {
    SOURCE,
    TARGET
  }

  /** The proxy's own. */
  enum Role {
    SUPERUSER,
    OTHER
  }

  /** Why the server cannot be that side of a move, and what to do. */
  Optional<String> fault(String shard, Side side) {
    if (role != Role.SUPERUSER) {
      return fault(shard, "the proxy's own role is no superuser, which a move needs");
    }
    return switch (side) {
      case SOURCE -> faultOfSource(shard);
      case TARGET -> faultOfTarget(shard);
    };
  }

  private Optional<String> faultOfSource(String shard) {
    if (!walLevel.equals("logical")) {
      return fault(
          shard,
          "wal_level is %s, and the source of a move needs logical: ".formatted(walLevel)
              + "ALTER SYSTEM SET wal_level = logical, and restart the server");
    }
    if (freeSlots < LEAST_SLOTS) {
      return fault(
          shard,
          "%d replication slots are free, and a move needs %d: ".formatted(freeSlots, LEAST_SLOTS)
              + "increase max_replication_slots, or drop slots that nobody uses");
    }
    return freeSenders < LEAST_SLOTS
        ? fault(
            shard,
            "%d WAL senders are free, and a move needs %d: increase max_wal_senders"
                .formatted(freeSenders, LEAST_SLOTS))
        : Optional.empty();
  }

  private Optional<String> faultOfTarget(String shard) {
    if (preparedTransactions == 0) {
      return fault(shard, "max_prepared_transactions is 0, and the target of a move needs 1");
    }
    return replicationWorkers == 0
        ? fault(shard, "max_logical_replication_workers is 0, and the target of a move needs 1")
        : Optional.empty();
  }

  private static Optional<String> fault(String shard, String what) {
    return Optional.of("shard %s: %s".formatted(shard, what));
  }
}
