package io.shardmark.driver.guarantees;

import io.shardmark.config.DatabaseKind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What the settings of a server say of a committed transaction: the least that any of them leaves,
 * with those that leave it. Of Oracle by its documentation alone.
 *
 * @param settings those that leave no more, such as {@code fsync=off}
 */
record Durability(Survival survival, List<String> settings) {
  private static final Set<String> PAGES_STAY_TORN = Set.of("off", "detect_only");

  /** Whether it is in force, for how long a commit waits, and whether without a replica too. */
  private static final String[][] SEMI_SYNC = {
    {
      "rpl_semi_sync_source_status",
      "rpl_semi_sync_source_timeout",
      "rpl_semi_sync_source_wait_no_replica"
    },
    {
      "rpl_semi_sync_master_status",
      "rpl_semi_sync_master_timeout",
      "rpl_semi_sync_master_wait_no_slave"
    }
  };

  private record SettingLimit(Survival survival, String setting) {}

  /** Reads settings, and collects what limits. */
  private static final class SettingLimits {
    private final Map<String, String> settings;
    private final List<SettingLimit> found = new ArrayList<>();

    SettingLimits(Map<String, String> settings) {
      this.settings = settings;
    }

    boolean is(String name, Predicate<String> value) {
      return GuaranteeFacts.values(settings.getOrDefault(name, "")).stream()
          .map(one -> one.toLowerCase(Locale.ROOT))
          .anyMatch(value);
    }

    boolean isAll(String name, Predicate<String> value) {
      return settings.containsKey(name) && !is(name, value.negate());
    }

    void limit(Survival survival, String name, Predicate<String> value) {
      if (is(name, value)) {
        found.add(new SettingLimit(survival, name + "=" + settings.getOrDefault(name, "")));
      }
    }

    Durability from(Survival most) {
      Survival least =
          found.stream()
              .map(SettingLimit::survival)
              .min(Enum::compareTo)
              .filter(one -> one.compareTo(most) < 0)
              .orElse(most);
      return new Durability(
          least,
          found.stream().filter(one -> one.survival == least).map(SettingLimit::setting).toList());
    }
  }

  /** Empty if the settings that decide are not known. */
  static Optional<Durability> of(DatabaseKind kind, Map<String, String> settings) {
    SettingLimits limits = new SettingLimits(settings);
    return switch (kind) {
      case POSTGRES ->
          settings.containsKey("fsync") ? Optional.of(postgres(limits)) : Optional.empty();
      case MYSQL, MARIADB ->
          settings.containsKey("innodb_flush_log_at_trx_commit")
              ? Optional.of(mysql(limits))
              : Optional.empty();
      case ORACLE ->
          settings.containsKey("commit_wait") ? Optional.of(oracle(limits)) : Optional.empty();
      case FIREBIRD -> Optional.empty();
    };
  }

  /** PG18 §19.5 runtime-config-wal, §19.6.2 runtime-config-replication-primary. */
  private static Durability postgres(SettingLimits limits) {
    limits.limit(Survival.NOTHING, "synchronous_commit", "off"::equals);
    limits.limit(Survival.NOTHING, "unlogged_tables", tables -> !tables.equals("none"));
    limits.limit(Survival.PROCESS, "fsync", "off"::equals);
    // A page that the loss of power leaves half written is not repaired.
    limits.limit(Survival.PROCESS, "full_page_writes", "off"::equals);
    boolean hasStandby =
        limits.isAll("synchronous_standby_names", names -> !names.equals("none"))
            && !limits.is("synchronous_commit", "local"::equals);
    return limits.from(hasStandby ? Survival.MACHINE : Survival.POWER);
  }

  /**
   * MySQL 8.4 §17.14 and §19.1.6.4. After a loss of power a transaction that is prepared in InnoDB
   * and not in the binary log is rolled back.
   */
  private static Durability mysql(SettingLimits limits) {
    limits.limit(Survival.NOTHING, "innodb_flush_log_at_trx_commit", "0"::equals);
    limits.limit(Survival.PROCESS, "innodb_flush_log_at_trx_commit", "2"::equals);
    limits.limit(Survival.PROCESS, "innodb_doublewrite", value -> PAGES_STAY_TORN.contains(value));
    limits.limit(Survival.PROCESS, "innodb_flush_method", "nosync"::equals);
    if (limits.is("log_bin", "on"::equals)) {
      limits.limit(Survival.PROCESS, "sync_binlog", value -> !value.equals("1"));
    }
    // Semi-synchronous replication: after the timeout, or at once without a replica, a transaction
    // commits alone, and the status is OFF.
    boolean hasStandby = false;
    for (String[] names : SEMI_SYNC) {
      if (limits.is(names[0], "on"::equals)) {
        hasStandby = true;
        limits.limit(Survival.POWER, names[1], Durability::isTooShort);
        limits.limit(Survival.POWER, names[2], "off"::equals);
      }
    }
    return limits.from(hasStandby ? Survival.MACHINE : Survival.POWER);
  }

  /** Whether a commit may end alone before anybody has seen to it. MariaDB has 64 bits for it. */
  private static boolean isTooShort(String timeoutMillis) {
    return new BigInteger(timeoutMillis).compareTo(BigInteger.valueOf(TimeUnit.DAYS.toMillis(1)))
        < 0;
  }

  /** Database Reference 19c: COMMIT_WAIT, COMMIT_LOGGING; Data Guard: protection modes. */
  private static Durability oracle(SettingLimits limits) {
    limits.limit(Survival.NOTHING, "commit_wait", "nowait"::equals);
    limits.limit(Survival.NOTHING, "commit_write", value -> value.contains("nowait"));
    // MAXIMUM AVAILABILITY goes on alone while the standby cannot be reached.
    boolean hasStandby = limits.is("protection_mode", "maximum protection"::equals);
    return limits.from(hasStandby ? Survival.MACHINE : Survival.POWER);
  }
}
