package io.shardmark.driver.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.guarantees.Guarantees.Equality;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GuaranteesTest {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "synchronous_standby_names", "none",
          "unlogged_tables", "none");

  private static Map<String, String> settings(String text) {
    Map<String, String> settings = new TreeMap<>();
    for (String pair : text.split(",", -1)) {
      settings.put(pair.split("=", -1)[0].strip(), pair.split("=", -1)[1].strip());
    }
    return settings;
  }

  private static Guarantees postgres(String... changes) {
    Map<String, String> settings = new LinkedHashMap<>(DEFAULTS);
    Arrays.stream(changes).forEach(change -> settings.putAll(settings(change)));
    return Guarantees.of(DatabaseKind.POSTGRES, "read committed", settings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "synchronous_commit=on|POWER|",
        "synchronous_commit=off|NOTHING|synchronous_commit=off",
        "synchronous_commit=on (s1); off (s2)|NOTHING|synchronous_commit=on (s1); off (s2)",
        "unlogged_tables=bmsql_stock|NOTHING|unlogged_tables=bmsql_stock",
        "fsync=off|PROCESS|fsync=off",
        "full_page_writes=off|PROCESS|full_page_writes=off",
        "synchronous_standby_names=s2|MACHINE|",
        "synchronous_standby_names=s2 (a); none (b)|POWER|",
        "synchronous_standby_names=s2, synchronous_commit=local|POWER|",
        "synchronous_standby_names=s2, synchronous_commit=remote_write|MACHINE|",
        "synchronous_standby_names=s2, fsync=off|PROCESS|fsync=off",
      })
  void postgresKeepsTheLeastThatItsSettingsLeave(String change, Survival survival, String because) {
    Guarantees found = postgres(change);
    assertThat(found.survival()).contains(survival);
    assertThat(String.join(", ", found.because())).isEqualTo(because == null ? "" : because);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "innodb_flush_log_at_trx_commit=1, log_bin=OFF, sync_binlog=0|POWER",
        "innodb_flush_log_at_trx_commit=1, log_bin=ON, sync_binlog=0|PROCESS",
        "innodb_flush_log_at_trx_commit=1, log_bin=ON, sync_binlog=1|POWER",
        "innodb_flush_log_at_trx_commit=2|PROCESS",
        "innodb_flush_log_at_trx_commit=0|NOTHING",
        "innodb_flush_log_at_trx_commit=1, innodb_doublewrite=OFF|PROCESS",
        "innodb_flush_log_at_trx_commit=1, innodb_doublewrite=DETECT_ONLY|PROCESS",
        "innodb_flush_log_at_trx_commit=1, rpl_semi_sync_master_status=OFF|POWER",
        "innodb_flush_log_at_trx_commit=1, rpl_semi_sync_master_status=ON, rpl_semi_sync_master_timeout=10000, rpl_semi_sync_master_wait_no_slave=ON|POWER",
        "innodb_flush_log_at_trx_commit=1, rpl_semi_sync_source_status=ON, rpl_semi_sync_source_timeout=4294967295, rpl_semi_sync_source_wait_no_replica=OFF|POWER",
        "innodb_flush_log_at_trx_commit=1, rpl_semi_sync_source_status=ON, rpl_semi_sync_source_timeout=4294967295, rpl_semi_sync_source_wait_no_replica=ON|MACHINE",
        "innodb_flush_log_at_trx_commit=1, rpl_semi_sync_master_status=ON, rpl_semi_sync_master_timeout=18446744073709551615, rpl_semi_sync_master_wait_no_slave=ON|MACHINE",
      })
  void innodbKeepsTheLeastThatItsSettingsLeave(String text, Survival survival) {
    assertThat(Guarantees.of(DatabaseKind.MARIADB, "read committed", settings(text)).survival())
        .contains(survival);
  }

  @ParameterizedTest
  @CsvSource({
    "commit_wait=wait, POWER",
    "commit_wait=NOWAIT, NOTHING",
    "commit_wait=FORCE_WAIT, POWER"
  })
  void oracleKeepsWhatCommitWaitLeaves(String text, Survival survival) {
    assertThat(Guarantees.of(DatabaseKind.ORACLE, "read committed", settings(text)).survival())
        .contains(survival);
  }

  @ParameterizedTest
  @CsvSource({"MAXIMUM PROTECTION, MACHINE", "MAXIMUM AVAILABILITY, POWER"})
  void oraclesStandbyKeepsWhatIsNeverCommittedAlone(String mode, Survival survival) {
    Map<String, String> settings = Map.of("commit_wait", "wait", "protection_mode", mode);
    assertThat(Guarantees.of(DatabaseKind.ORACLE, "serializable", settings).survival())
        .contains(survival);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POSTGRES|read committed|fsync=on|TORN_TRANSACTION, LOST_UPDATE, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|repeatable read|fsync=on|ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|serializable|fsync=on|",
        "ORACLE|serializable|commit_wait=wait|ANTI_DEPENDENCY_CYCLE",
        "MARIADB|serializable|log_bin=ON|",
        "MARIADB|repeatable read|innodb_snapshot_isolation=ON|ANTI_DEPENDENCY_CYCLE",
        "MARIADB|repeatable read|innodb_snapshot_isolation=OFF|TORN_STATEMENT, TORN_TRANSACTION, LOST_UPDATE, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|read committed|sharding=proxy, scatter_reads=consistent|TORN_TRANSACTION, LOST_UPDATE, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|read committed|sharding=proxy, scatter_reads=fast|TORN_STATEMENT, TORN_TRANSACTION, LOST_UPDATE, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|repeatable read|sharding=proxy, cross_shard_isolation=refuse|ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|repeatable read|sharding=proxy, cross_shard_isolation=snapshot|READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|repeatable read|sharding=proxy, cross_shard_isolation=per_shard|TORN_STATEMENT, TORN_TRANSACTION, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
        "POSTGRES|repeatable read|sharding=citus|TORN_STATEMENT, TORN_TRANSACTION, READ_SKEW, LONG_FORK, ANTI_DEPENDENCY_CYCLE",
      })
  void levelsPermitAnomalies(DatabaseKind kind, String isolation, String text, String expected) {
    Optional<Set<Phenomenon>> found = PermittedAnomalies.of(kind, isolation, settings(text));
    assertThat(found).isPresent();
    assertThat(
            found.orElseThrow().stream()
                .sorted()
                .map(Phenomenon::name)
                .collect(Collectors.joining(", ")))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void unlikeSurvivalIsNotEqualWithItsReason() {
    Guarantees synced = postgres();
    Guarantees fast = postgres("synchronous_commit=off");
    assertThat(fast.compared(synced)).isEqualTo(Equality.NOT_EQUAL);
    assertThat(fast.differences("fast", synced, "synced"))
        .containsExactly(
            "a committed transaction survives: with fast not even the kill of a server process"
                + " (synchronous_commit=off); with synced a loss of power, not the loss of a"
                + " machine");
  }

  @Test
  void unlikeAnomaliesAreNotEqual() {
    Guarantees serializable = Guarantees.of(DatabaseKind.POSTGRES, "serializable", DEFAULTS);
    assertThat(serializable.differences("a", postgres(), "b"))
        .containsExactly(
            "anomalies permitted: with a none; with b fractured read, lost update, G-single read"
                + " skew, long fork, G2-item write skew");
  }

  @Test
  void aTestOfClause3ThatOneFailsAndTheOtherPassesMakesThemUnequal() {
    Guarantees passes = tested(AcidVerdict.PASS);
    Guarantees fails = tested(AcidVerdict.FAIL);
    assertThat(fails.differences("a", passes, "b"))
        .containsExactly("TPC-C 3.5 crash of s2: with a FAIL; with b pass");
    assertThat(passes.compared(fails)).isEqualTo(Equality.NOT_EQUAL);
    assertThat(passes.differences("a", tested(AcidVerdict.ERROR), "b")).isEmpty();
    assertThat(passes.differences("a", Guarantees.of(new MadeRun().result()), "b")).isEmpty();
    assertThat(fails.rows()).isEmpty();
    assertThat(fails.rowsWithTests()).containsExactly(entry("TPC-C 3.5 crash of s2", "FAIL"));
  }

  private static Guarantees tested(AcidVerdict verdict) {
    return Guarantees.of(
        new MadeRun().acid(new AcidResult("3.5", "crash of s2", verdict, "")).result());
  }

  @Test
  void settingsThatDecideNothingLeaveSystemsEqual() {
    assertThat(
            postgres("wal_sync_method=fdatasync").compared(postgres("wal_sync_method=open_sync")))
        .isEqualTo(Equality.EQUAL);
  }

  @Test
  void theSizeOfTheDataIsARowWithThatOfTheCache() {
    assertThat(postgres("data_size=13 GB, shared_buffers=4GB").rows())
        .containsEntry("Data against cache", "13 GB, shared_buffers 4GB");
    assertThat(postgres("shared_buffers=4GB").rows()).doesNotContainKey("Data against cache");
  }

  @Test
  void ofARunThatReadNothingNothingIsKnown() {
    Guarantees unknown = Guarantees.of(DatabaseKind.POSTGRES, "read committed", Map.of());
    assertThat(unknown.rows()).isEmpty();
    assertThat(unknown.compared(postgres())).isEqualTo(Equality.NOT_KNOWN);
  }

  @Test
  void ofSettingsThatWereNotReadableNothingIsKnown() {
    Map<String, String> settings = Map.of("settings", "not readable: canceling statement");
    Guarantees found = Guarantees.of(DatabaseKind.POSTGRES, "repeatable read", settings);
    assertThat(found.anomalies()).isEmpty();
    assertThat(found.compared(postgres())).isEqualTo(Equality.NOT_KNOWN);
  }

  @Test
  void settingsOfServersThatAgreeAreOneText() {
    Map<String, Map<String, String>> servers = new LinkedHashMap<>();
    servers.put("s1", Map.of("fsync", "on", "synchronous_commit", "on"));
    servers.put("s2", Map.of("fsync", "on", "synchronous_commit", "off"));
    servers.put("s3", Map.of("fsync", "on", "synchronous_commit", "on"));
    assertThat(GuaranteeFacts.merged(servers))
        .containsEntry("fsync", "on")
        .containsEntry("synchronous_commit", "on (s1, s3); off (s2)");
    assertThat(GuaranteeFacts.values("on (s1, s3); off (s2)")).isEqualTo(List.of("on", "off"));
  }

  @Test
  void aConditionHoldsOfWhatItNames() {
    GuaranteeCondition condition = GuaranteeCondition.parse("guarantees != equal");
    assertThat(condition.holds(Equality.NOT_EQUAL)).isTrue();
    assertThat(condition.holds(Equality.NOT_KNOWN)).isTrue();
    assertThat(condition.holds(Equality.EQUAL)).isFalse();
    assertThat(GuaranteeCondition.parse("guarantees=not-equal").holds(Equality.NOT_KNOWN))
        .isFalse();
    assertThatThrownBy(() -> GuaranteeCondition.parse("guarantees!=same"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one of equal, not-equal, not-known");
  }
}
