package io.shardmark.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.catalog.ShardStatus.ShardState;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.deadlock.LockWait;
import io.shardmark.proxy.deadlock.ServerTransaction;
import io.shardmark.proxy.growth.Growth.MoveInfo;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.session.SessionView;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.standby.ShardPrimary.HostView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminCommandsTest {
  @TempDir private Path directory;
  private FixedState state;
  private AdminCommands commands;

  /** A proxy that stands still. */
  private record FixedState(
      ProxyConfig config, ShardMap shardMap, ProxyMetrics metrics, int counting)
      implements ProxyState {
    @Override
    public List<ShardStatus> shards() {
      return List.of(
              new ShardStatus("s1", ShardState.UP, "PostgreSQL 18.1", Instant.EPOCH),
              new ShardStatus("s2", ShardState.DOWN, "refused", Instant.EPOCH))
          .subList(0, counting);
    }

    @Override
    public Endpoint place(int shard) {
      return config().shards().get(shard).places().get(0);
    }

    @Override
    public List<HostView> hosts() {
      return List.of(
          new HostView(
              "s1", "a:1", "primary", Optional.of(2), Optional.empty(), Optional.empty(), ""),
          new HostView(
              "s1",
              "b:1",
              "standby",
              Optional.of(2),
              Optional.of(7L),
              Optional.of(80L),
              "read from"));
    }

    @Override
    public List<String> catalogProblems() {
      return List.of("public.x is on shard s1 only");
    }

    @Override
    public long uptimeNanos() {
      return 5_000_000_000L;
    }

    @Override
    public String mode() {
      return "running";
    }

    @Override
    public CompletionStage<List<SessionView>> clients() {
      return CompletableFuture.completedStage(
          List.of(
              new SessionView(
                  9,
                  "u",
                  "d",
                  "psql",
                  "/127.0.0.1:5",
                  "active",
                  List.of(0, 1),
                  60_000_000_000L,
                  Optional.empty())));
    }

    @Override
    public CompletionStage<List<ServerInfo>> servers() {
      return CompletableFuture.completedStage(
          List.of(
              new ServerInfo("s1", 77, "u", "active", Optional.of(9), 3),
              new ServerInfo("s1", 78, "u", "idle", Optional.empty(), 4)));
    }

    @Override
    public CompletionStage<List<TransactionInfo>> transactions() {
      return CompletableFuture.completedStage(
          List.of(
              new TransactionInfo(Optional.of(9), "", List.of("s1", "s2"), "open", 1, ""),
              new TransactionInfo(
                  Optional.empty(), "gid", List.of("s2"), "in doubt", 8, "no answer")));
    }

    @Override
    public CompletionStage<DeadlockDetector.Waits> locks() {
      LockWait wait =
          new LockWait(
              new ServerTransaction(0, 77, "3/4"),
              new ServerTransaction(0, 0, "gid"),
              "ShareLock on transaction 5",
              "",
              Duration.ofMillis(20),
              "update t");
      return CompletableFuture.completedStage(
          new DeadlockDetector.Waits(List.of(wait), Map.of("s2", "gone")));
    }
  }

  /** Can be paused, cannot be reloaded. */
  /** Takes orders about a move 7. */
  private static class OneMove implements GrowthControl {
    @Override
    public CompletionStage<String> add(String shard) {
      return CompletableFuture.completedStage("shard " + shard + " will be added");
    }

    @Override
    public CompletionStage<String> cancel(String shard) {
      return CompletableFuture.completedStage("the addition of shard " + shard + " will be undone");
    }

    @Override
    public CompletionStage<Map<String, String>> additions() {
      return CompletableFuture.completedStage(Map.of("s2", "copied: transactions do not end"));
    }

    @Override
    public CompletionStage<String> move(String partition, String shard) {
      return CompletableFuture.completedStage("move 7: " + partition + " to " + shard);
    }

    @Override
    public CompletionStage<String> rebalance() {
      return CompletableFuture.completedStage("the shards are balanced");
    }

    @Override
    public CompletionStage<String> cancel(int move) {
      return move == 7
          ? CompletableFuture.completedStage("move 7 will be undone")
          : CompletableFuture.failedStage(new ConfigException("there is no move " + move));
    }

    @Override
    public CompletionStage<List<MoveInfo>> moves() {
      return CompletableFuture.completedStage(
          List.of(
              new MoveInfo(
                  7, List.of("a_1", "b_1"), "s1", "s2", "copying", 10, 5_000, 2_000, 300, ""),
              new MoveInfo(8, List.of("a_2"), "s2", "s1", "undone", 3, 0, 0, -1, "cancelled")));
    }
  }

  private static final class Control implements ProxyControl {
    @Override
    public CompletionStage<String> reload() {
      return CompletableFuture.supplyAsync(
          () -> {
            throw new ConfigException("proxy.yaml: listen: is missing");
          });
    }

    @Override
    public CompletionStage<String> pause() {
      return CompletableFuture.completedStage("");
    }

    @Override
    public CompletionStage<String> resume() {
      return CompletableFuture.completedStage("");
    }

    @Override
    public CompletionStage<String> drain() {
      return CompletableFuture.completedStage("draining");
    }

    @Override
    public CompletionStage<String> shutdown() {
      return CompletableFuture.completedStage("shutting down");
    }
  }

  @BeforeEach
  void make() throws IOException {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(
        file,
        """
        shards: [{name: s1, database: d}, {name: s2, port: 5433, database: d}]
        users: [{name: u, password: hush}]
        sharding: {plain: k}
        """);
    HashRule rule = new HashRule(3, new int[] {0, 1, -1});
    TableName hashed = new TableName("public", "hashed");
    TableName plain = new TableName("public", "plain");
    TableName item = new TableName("public", "item");
    ShardMap map =
        new ShardMap(
            List.of("s1", "s2"),
            Map.of(
                hashed,
                new Table(hashed, new Sharding.ByColumn("w", KeyType.INTEGER, rule), List.of()),
                plain,
                new Table(
                    plain,
                    new Sharding.ByColumn("k", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)),
                    List.of()),
                item,
                new Table(item, new Sharding.Reference(), List.of())),
            1);
    state = new FixedState(ProxyConfig.read(file), map, new ProxyMetrics(List.of("s1", "s2")), 2);
    commands = new AdminCommands(state, new Control(), new OneMove());
  }

  private AdminAnswer run(String command) {
    return commands.execute(command).toCompletableFuture().join();
  }

  private List<List<String>> rows(String command) {
    return ((AdminAnswer.AdminRows) run(command)).table().rows();
  }

  @Test
  void ordersAboutMovesKeepTheNamesAsTheyAreWritten() {
    assertThat(run("move partition \"Two words\" TO S2;"))
        .isEqualTo(new AdminAnswer.Done("MOVE", "move 7: \"Two words\" to s2"));
    assertThat(run("CANCEL  MOVE 7"))
        .isEqualTo(new AdminAnswer.Done("CANCEL", "move 7 will be undone"));
    assertThat(run("Cancel Add Shard S3"))
        .isEqualTo(new AdminAnswer.Done("CANCEL", "the addition of shard s3 will be undone"));
    assertThat(run("cancel move 8")).extracting("message").isEqualTo("there is no move 8");
    assertThat(run("move partition x")).isInstanceOf(AdminAnswer.Failed.class);
  }

  @Test
  void showMovesHasRateAndTimeLeft() {
    assertThat(rows("show moves"))
        .containsExactly(
            Arrays.asList(
                "7", "a_1 b_1", "s1", "s2", "copying", "10", "5000", "2000", "200", "15", "300",
                ""),
            Arrays.asList(
                "8", "a_2", "s2", "s1", "undone", "3", null, null, null, null, null, "cancelled"));
  }

  @Test
  void showShardMapHasARowForEachPartition() {
    assertThat(rows("show  shard\nmap;"))
        .containsExactly(
            Arrays.asList(
                "public",
                "hashed",
                "hash",
                "w",
                "3",
                "0",
                "FOR VALUES WITH (modulus 3, remainder 0)",
                "1",
                "s1",
                "127.0.0.1",
                "5432",
                "d"),
            Arrays.asList(
                "public",
                "hashed",
                "hash",
                "w",
                "3",
                "1",
                "FOR VALUES WITH (modulus 3, remainder 1)",
                "2",
                "s2",
                "127.0.0.1",
                "5433",
                "d"),
            Arrays.asList(
                "public",
                "item",
                "reference",
                null,
                null,
                null,
                null,
                "1",
                "s1",
                "127.0.0.1",
                "5432",
                "d"),
            Arrays.asList(
                "public",
                "item",
                "reference",
                null,
                null,
                null,
                null,
                "2",
                "s2",
                "127.0.0.1",
                "5433",
                "d"),
            Arrays.asList(
                "public",
                "plain",
                "column",
                "k",
                "2",
                "0",
                "FOR VALUES WITH (modulus 2, remainder 0)",
                "1",
                "s1",
                "127.0.0.1",
                "5432",
                "d"),
            Arrays.asList(
                "public",
                "plain",
                "column",
                "k",
                "2",
                "1",
                "FOR VALUES WITH (modulus 2, remainder 1)",
                "2",
                "s2",
                "127.0.0.1",
                "5433",
                "d"));
  }

  @Test
  void poolsAndStatsAddUpTheLoops() {
    LoopCounters loop = state.metrics().newLoop();
    loop.add(1, ShardCounter.SERVERS_IDLE, 3);
    state.metrics().newLoop().count(LoopCounter.ROLLBACKS);

    assertThat(rows("SHOW POOLS"))
        .containsExactly(
            List.of("s1", "transaction", "20", "0", "0", "0", "0", "0", "0", "0"),
            List.of("s2", "transaction", "20", "0", "3", "0", "0", "0", "0", "0"));
    assertThat(rows("SHOW STATS"))
        .contains(
            List.of("uptime_seconds", "5"),
            List.of("rollbacks", "1"),
            List.of("servers shard=s2 state=idle", "3"));
  }

  @Test
  void showsWhatTheProxyHolds() {
    assertThat(rows("show clients"))
        .containsExactly(List.of("9", "u", "d", "psql", "/127.0.0.1:5", "active", "s1 s2", "60"));
    assertThat(rows("show servers"))
        .containsExactly(
            List.of("s1", "77", "u", "active", "9", "3"),
            Arrays.asList("s1", "78", "u", "idle", null, "4"));
    assertThat(rows("show transactions"))
        .containsExactly(
            List.of("9", "", "s1 s2", "open", "1", ""),
            Arrays.asList(null, "gid", "s2", "in doubt", "8", "no answer"));
    assertThat(rows("show locks"))
        .containsExactly(
            Arrays.asList(
                "s1", "77", "9", "0", null, "gid", "ShareLock on transaction 5", "20", "update t"),
            Arrays.asList("s2", "0", null, "0", null, "", "shard cannot be asked: gone", "0", ""));
    assertThat(rows("show shards")).element(1).asString().startsWith("[2, s2").contains("down");
    assertThat(rows("show problems")).containsExactly(List.of("public.x is on shard s1 only"));
  }

  @Test
  void showShardsHasThoseThatCountWhileAdditionsCannotBeRead() {
    FixedState one = new FixedState(state.config(), state.shardMap(), state.metrics(), 1);
    GrowthControl cutOff =
        new OneMove() {
          @Override
          public CompletionStage<Map<String, String>> additions() {
            return CompletableFuture.failedStage(new ConfigException("no answer"));
          }
        };
    commands = new AdminCommands(one, new Control(), new OneMove());
    assertThat(rows("show shards")).element(1).asString().contains("copied, transactions do not");
    commands = new AdminCommands(one, new Control(), cutOff);
    assertThat(rows("show shards")).element(0).asString().contains("s1").contains("up");
    assertThat(rows("show shards")).element(1).asString().contains("unknown, no answer");
  }

  @Test
  void configHasNoPassword() {
    assertThat(rows("show config")).contains(List.of("pool_size", "20"));
    assertThat(rows("show config").toString()).doesNotContain("hush");
  }

  @Test
  void everyCommandInHelpIsOne() {
    for (List<String> row : rows("show help")) {
      assertThat(run(row.get(0).replace(" number", " 7")))
          .as(row.get(0))
          .matches(
              answer ->
                  !(answer instanceof AdminAnswer.Failed failed)
                      || failed.sqlState().code().equals("55000"));
    }
  }

  @Test
  void aFailedOrderTellsTheReason() {
    assertThat(run("reload"))
        .isInstanceOfSatisfying(
            AdminAnswer.Failed.class,
            failed -> assertThat(failed.message()).isEqualTo("proxy.yaml: listen: is missing"));
    assertThat(run("pause;")).isEqualTo(new AdminAnswer.Done("PAUSE", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ";", "select 1", "show", "show nothing at all", "paus", "show pools x"})
  void whatIsNoCommandIsASyntaxError(String command) {
    assertThat(run(command))
        .isInstanceOfSatisfying(
            AdminAnswer.Failed.class,
            failed -> assertThat(failed.sqlState().code()).isEqualTo("42601"));
  }
}
