package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.growth.ServerSettings.Role;
import io.shardmark.proxy.growth.ServerSettings.Side;
import io.shardmark.proxy.growth.ShardCandidate.CandidateIdentity;
import io.shardmark.proxy.growth.ShardCandidate.CountingShard;
import io.shardmark.proxy.growth.ShardCandidate.FirstShard;
import io.shardmark.proxy.growth.ShardCandidate.Globals;
import io.shardmark.proxy.growth.ShardCandidate.Presence;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Why a database cannot be a shard more; each case differs in one respect from one that can. */
final class ShardCandidateTest {
  private static final ServerSettings READY =
      new ServerSettings("logical", Role.SUPERUSER, 3, 3, 10, 4);
  private static final Globals GLOBALS = new Globals(List.of("bench", "owner"), List.of("plpgsql"));

  private ServerSettings settings = READY;
  private String database = "3 bench";
  private Optional<CandidateIdentity> identity = Optional.empty();
  private Optional<String> mark = Optional.empty();
  private List<String> objects = List.of();
  private Globals globals = GLOBALS;
  private CountingShard second = new CountingShard("s2", "2 bench", Presence.KNOWN_TO_ALL, 0);
  private FirstShard first = new FirstShard("ours", GLOBALS, List.of(), List.of());

  private String refusal() {
    CountingShard counting = new CountingShard("s1", "1 bench", Presence.KNOWN_TO_ALL, 0);
    return new ShardCandidate(
            "s3",
            settings,
            database,
            identity,
            mark,
            objects,
            globals,
            List.of(counting, second),
            first)
        .refusal()
        .orElse("");
  }

  @Test
  void anEmptyDatabaseThatAllProxiesKnowCanBeAdded() {
    assertThat(refusal()).isEmpty();
  }

  @Test
  void walLevelIsNamedWithTheRestart() {
    settings = new ServerSettings("replica", Role.SUPERUSER, 3, 3, 10, 4);
    assertThat(refusal())
        .isEqualTo(
            "shard s3: wal_level is replica, and the source of a move needs logical: ALTER SYSTEM"
                + " SET wal_level = logical, and restart the server");
  }

  @Test
  void replicationSlotsAndSendersMustBeFree() {
    settings = new ServerSettings("logical", Role.SUPERUSER, 0, 3, 10, 4);
    assertThat(refusal())
        .isEqualTo(
            "shard s3: 0 replication slots are free, and a move needs 1: increase"
                + " max_replication_slots, or drop slots that nobody uses");
    settings = new ServerSettings("logical", Role.SUPERUSER, 3, 0, 10, 4);
    assertThat(refusal())
        .isEqualTo(
            "shard s3: 0 WAL senders are free, and a move needs 1: increase max_wal_senders");
  }

  @Test
  void theServerMustPrepareTransactionsAndReplicateForASuperuser() {
    settings = new ServerSettings("logical", Role.OTHER, 3, 3, 10, 4);
    assertThat(refusal()).contains("the proxy's own role is no superuser");
    settings = new ServerSettings("logical", Role.SUPERUSER, 3, 3, 0, 4);
    assertThat(refusal()).contains("max_prepared_transactions is 0");
    settings = new ServerSettings("logical", Role.SUPERUSER, 3, 3, 10, 0);
    assertThat(refusal()).contains("max_logical_replication_workers is 0");
  }

  @Test
  void aTargetOfMovesAloneNeedsNoLogicalLog() {
    ServerSettings target = new ServerSettings("replica", Role.SUPERUSER, 0, 0, 1, 1);
    assertThat(target.fault("s2", Side.TARGET)).isEmpty();
    assertThat(target.fault("s2", Side.SOURCE)).isPresent();
  }

  @Test
  void rolesAndExtensionsMustBeThere() {
    globals = new Globals(List.of("bench"), List.of("plpgsql"));
    assertThat(refusal()).isEqualTo("shard s3 does not have the role owner");
    globals = new Globals(List.of("owner", "bench", "more"), List.of());
    assertThat(refusal()).isEqualTo("shard s3 does not have the extension plpgsql");
  }

  @Test
  void aShardOfThisOrAnotherClusterIsNotAdded() {
    identity = Optional.of(new CandidateIdentity("theirs", "s1"));
    assertThat(refusal())
        .isEqualTo("shard s3 is a database of another cluster, which has it as shard s1");
    identity = Optional.of(new CandidateIdentity("ours", "s2"));
    assertThat(refusal()).isEqualTo("shard s3 is a database that is shard s2 of this cluster");
    database = "2 bench";
    assertThat(refusal()).isEqualTo("shards s2 and s3 are the same database");
  }

  @Test
  void aDatabaseThatIsBeingAddedIsNotAdded() {
    mark = Optional.of("theirs");
    assertThat(refusal())
        .isEqualTo(
            "shard s3 is a database that is being added to another cluster: it has"
                + " shardmark.arriving");
    mark = Optional.of("ours");
    assertThat(refusal()).contains("that was undone without it");
  }

  @Test
  void aDatabaseThatHoldsTablesIsNotAdded() {
    objects = List.of("table public.t", "view public.v");
    assertThat(refusal())
        .isEqualTo(
            "shard s3 is not empty, and is to get everything from the others: it has the table"
                + " public.t");
  }

  @Test
  void aProxyWithTheOldFileIsNamedByTheShardItUses() {
    second = new CountingShard("s2", "2 bench", Presence.UNKNOWN_TO_SOME, 0);
    assertThat(refusal())
        .isEqualTo(
            "a proxy is present on shard s2 and not on s3: append s3 to shards in the files of all"
                + " proxies, and RELOAD");
  }

  @Test
  void movesMustBeOver() {
    second = new CountingShard("s2", "2 bench", Presence.KNOWN_TO_ALL, 1);
    assertThat(refusal()).isEqualTo("there are moves that are not over: see SHOW MOVES");
  }

  @Test
  void whatWouldBeLostIsNamed() {
    first = new FirstShard("ours", GLOBALS, List.of("the collation german"), List.of());
    assertThat(refusal())
        .isEqualTo("ADD SHARD does not make what shard s1 has: the collation german");
    first = new FirstShard("ours", GLOBALS, List.of(), List.of("public.account"));
    assertThat(refusal()).endsWith("and do not move: make partitions of public.account");
  }
}
