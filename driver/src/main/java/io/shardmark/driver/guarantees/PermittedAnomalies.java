package io.shardmark.driver.guarantees;

import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which anomalies transactions that read and append may have, by what a system documents of its
 * isolation levels. Of Oracle and Citus nothing more is known here.
 */
public final class PermittedAnomalies {
  private static final Set<Phenomenon> NONE = Set.of();

  /** Each transaction reads one snapshot, and the first committer of a row wins. */
  private static final Set<Phenomenon> OF_SNAPSHOT = Set.of(Phenomenon.ANTI_DEPENDENCY_CYCLE);

  /** Each statement reads its own snapshot. */
  private static final Set<Phenomenon> OF_STATEMENTS =
      with(
          OF_SNAPSHOT,
          Phenomenon.TORN_TRANSACTION,
          Phenomenon.LOST_UPDATE,
          Phenomenon.READ_SKEW,
          Phenomenon.LONG_FORK);

  /** Snapshots of several servers that were taken one after the other. */
  private static final Set<Phenomenon> OF_SNAPSHOTS_OF_SERVERS =
      with(
          OF_SNAPSHOT,
          Phenomenon.TORN_STATEMENT,
          Phenomenon.TORN_TRANSACTION,
          Phenomenon.READ_SKEW,
          Phenomenon.LONG_FORK);

  /** InnoDB's REPEATABLE READ: a row that the transaction changes is read as it is now. */
  private static final Set<Phenomenon> OF_INNODB = with(OF_STATEMENTS, Phenomenon.TORN_STATEMENT);

  private static final Set<Phenomenon> OF_DIRTY_READS =
      with(
          OF_INNODB,
          Phenomenon.ABORTED_READ,
          Phenomenon.INTERMEDIATE_READ,
          Phenomenon.CIRCULAR_INFORMATION);

  private PermittedAnomalies() {}

  private static Set<Phenomenon> with(Set<Phenomenon> some, Phenomenon... more) {
    Set<Phenomenon> all = EnumSet.copyOf(some);
    Collections.addAll(all, more);
    return Collections.unmodifiableSet(all);
  }

  /**
   * By the level in force and what was read of the system.
   *
   * @param isolation in the words of the SQL standard, such as {@code read committed}
   * @param settings by name, those of {@link GuaranteeFacts} among them
   * @return empty if nothing is known of this level there
   */
  public static Optional<Set<Phenomenon>> of(
      DatabaseKind kind, String isolation, Map<String, String> settings) {
    return Optional.ofNullable(
        switch (kind) {
          case POSTGRES ->
              switch (settings.getOrDefault(GuaranteeFacts.SHARDING, "")) {
                case "" -> postgres(isolation);
                case "proxy" -> proxy(isolation, settings);
                default -> citus(isolation);
              };
          case MYSQL, MARIADB -> innodb(isolation, settings);
          case ORACLE ->
              switch (isolation) {
                case "read committed" -> OF_STATEMENTS;
                case "serializable" -> OF_SNAPSHOT;
                default -> null;
              };
          case FIREBIRD -> null;
        });
  }

  /** PG18 §13.2 transaction-iso. */
  private static @Nullable Set<Phenomenon> postgres(String isolation) {
    return switch (isolation) {
      case "read uncommitted", "read committed" -> OF_STATEMENTS;
      case "repeatable read" -> OF_SNAPSHOT;
      case "serializable" -> NONE;
      default -> null;
    };
  }

  /** docs/snapshot.md. */
  private static @Nullable Set<Phenomenon> proxy(String isolation, Map<String, String> settings) {
    if (isolation.equals("read committed") || isolation.equals("read uncommitted")) {
      return settings.getOrDefault(GuaranteeFacts.SCATTER_READS, "").equals("consistent")
          ? OF_STATEMENTS
          : with(OF_STATEMENTS, Phenomenon.TORN_STATEMENT);
    }
    return switch (settings.getOrDefault(GuaranteeFacts.CROSS_SHARD_ISOLATION, "")) {
      // A transaction has one shard then.
      case "refuse" -> postgres(isolation);
      case "snapshot" ->
          isolation.equals("repeatable read")
              ? with(OF_SNAPSHOT, Phenomenon.READ_SKEW, Phenomenon.LONG_FORK)
              : postgres(isolation);
      default -> OF_SNAPSHOTS_OF_SERVERS;
    };
  }

  /** Citus 13: no snapshot is shared by the nodes. */
  private static Set<Phenomenon> citus(String isolation) {
    return isolation.equals("read committed") || isolation.equals("read uncommitted")
        ? with(OF_STATEMENTS, Phenomenon.TORN_STATEMENT)
        : OF_SNAPSHOTS_OF_SERVERS;
  }

  /** MariaDB's innodb_snapshot_isolation makes REPEATABLE READ what PostgreSQL calls so. */
  private static @Nullable Set<Phenomenon> innodb(String isolation, Map<String, String> settings) {
    return switch (isolation) {
      case "read uncommitted" -> OF_DIRTY_READS;
      case "read committed" -> OF_STATEMENTS;
      case "repeatable read" ->
          settings.getOrDefault("innodb_snapshot_isolation", "").equalsIgnoreCase("on")
              ? OF_SNAPSHOT
              : OF_INNODB;
      case "serializable" -> NONE;
      default -> null;
    };
  }
}
