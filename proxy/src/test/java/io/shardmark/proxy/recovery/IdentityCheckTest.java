package io.shardmark.proxy.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.recovery.IdentityCheck.Claim;
import io.shardmark.proxy.recovery.IdentityCheck.Result;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Real databases that learn which shards they are, and proxies that call them otherwise. */
final class IdentityCheckTest {
  private static final String NAMES =
      "SELECT name FROM shardmark.shard WHERE to_regclass('shardmark.shard') IS NOT NULL";
  private TestShards shards;

  private record Called(String name, ShardAccess shard) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      return shard.open();
    }
  }

  /** Logs in as somebody without rights. */
  private record Stranger(String name, ShardAccess shard) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      Connection connection = shard.open();
      try (var statement = connection.createStatement()) {
        statement.execute("SET ROLE stranger");
      }
      return connection;
    }
  }

  private record Away(String name) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      throw new SQLException("it is away");
    }
  }

  /** Notes what it opens; something happens when it is asked the second time. */
  private record Noted(ShardAccess shard, List<Connection> opened, Runnable second)
      implements ShardAccess {
    @Override
    public String name() {
      return shard.name();
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = shard.open();
      opened.add(connection);
      if (opened.size() == 2) {
        second.run();
      }
      return connection;
    }
  }

  @BeforeEach
  void create() throws SQLException {
    shards = TestShards.create(2);
  }

  private ShardAccess called(String name, int shard) {
    return new Called(name, shards.shard(shard));
  }

  private static Result run(ShardAccess... shards) throws InterruptedException {
    return new IdentityCheck(List.of(shards)).run(Optional.empty(), Claim.YES);
  }

  private List<String> names() throws SQLException {
    List<String> names = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      boolean there =
          TestShards.query(shards.shard(shard), "SELECT to_regclass('shardmark.shard') IS NOT NULL")
              .contains("t");
      names.add(there ? TestShards.query(shards.shard(shard), NAMES).toString() : "none");
    }
    return names;
  }

  @Test
  void whatIsNewGetsItsNameAndKeepsIt() throws Exception {
    Result first = run(called("a", 0), called("b", 1));
    assertThat(first.right()).containsExactly("a", "b");
    assertThat(first.cluster()).isPresent();
    assertThat(names()).containsExactly("[a]", "[b]");
    Result again = run(called("b", 1), called("a", 0));
    assertThat(again).isEqualTo(first);
  }

  @Test
  void lookingChangesNothing() throws Exception {
    Result result = new IdentityCheck(List.of(called("a", 0))).run(Optional.empty(), Claim.NO);
    assertThat(result.wrong()).isEmpty();
    assertThat(names()).containsExactly("none", "none");
  }

  @Test
  void swappedNamesAreRefused() throws Exception {
    run(called("a", 0), called("b", 1));
    Result swapped = run(called("b", 0), called("a", 1));
    assertThat(swapped.right()).isEmpty();
    assertThat(swapped.wrong())
        .containsEntry(
            "a", "shard a of the configuration is a database that is shard b of its cluster")
        .containsEntry(
            "b", "shard b of the configuration is a database that is shard a of its cluster");
    assertThat(names()).containsExactly("[a]", "[b]");
  }

  @Test
  void oneWrongNameKeepsTheNewShardsNameless() throws Exception {
    run(called("a", 0));
    assertThat(run(called("x", 0), called("b", 1)).wrong()).containsOnlyKeys("x");
    assertThat(names()).containsExactly("[a]", "none");
  }

  @Test
  void anEmptyDatabaseBesideShardsInUseGetsNoName() throws Exception {
    TestShards three = TestShards.create(3);
    ShardAccess s0 = three.shard(0);
    ShardAccess s1 = three.shard(1);
    run(s0, s1);
    TestShards.execute(s0, "create table t (k int)");
    TestShards.execute(s1, "create table t (k int)");
    Result result = run(s0, s1, three.shard(2));
    assertThat(result.right()).containsExactly("s0", "s1");
    assertThat(result.wrong())
        .containsEntry(
            "s2", "shard s2 is empty, and the others have tables: it can be added with ADD SHARD");
  }

  @Test
  void oneDatabaseCannotBeTwoShards() throws Exception {
    assertThat(run(called("a", 0), called("b", 0)).wrong())
        .containsOnlyKeys("b")
        .containsEntry("b", "shards a and b are the same database");
    assertThat(names()).containsExactly("none", "none");
  }

  @Test
  void shardsOfTwoClustersAreRefused() throws Exception {
    Result first = run(called("a", 0));
    run(called("b", 1));
    assertThat(run(called("a", 0), called("b", 1)).wrong()).containsOnlyKeys("a", "b");
    Result later = new IdentityCheck(List.of(called("b", 1))).run(first.cluster(), Claim.YES);
    assertThat(later.wrong()).containsOnlyKeys("b");
  }

  @Test
  void whatWasAwayJoinsTheClusterOfTheOthers() throws Exception {
    Result first = run(called("a", 0), new Away("b"));
    assertThat(first.right()).containsExactly("a");
    assertThat(first.unreachable()).containsOnlyKeys("b");
    Result later = new IdentityCheck(List.of(called("b", 1))).run(first.cluster(), Claim.YES);
    assertThat(later.right()).containsExactly("b");
    assertThat(later.cluster()).isEqualTo(first.cluster());
  }

  @Test
  void whoMayNotLookGoesOnUnchecked() throws Exception {
    run(called("a", 0));
    TestShards.execute(
        shards.shard(0),
        "DROP ROLE IF EXISTS stranger; CREATE ROLE stranger;" + " GRANT stranger TO CURRENT_USER");
    Result unchecked = run(new Stranger("other", shards.shard(0)));
    assertThat(unchecked.unreachable()).isEmpty();
    assertThat(unchecked.wrong()).isEmpty();
    assertThat(unchecked.right()).containsExactly("other");
    assertThat(names()).containsExactly("[a]", "none");
  }

  @Test
  void whatOneAttemptOpenedIsClosedBeforeTheNext() throws Exception {
    Connection elsewhere = shards.shard(0).open();
    elsewhere.setAutoCommit(false);
    try (var statement = elsewhere.createStatement()) {
      statement.execute(CommitSql.LOCK_CREATION);
    }
    List<Connection> first = new ArrayList<>();
    List<Connection> second = new ArrayList<>();
    Result result =
        run(
            new Noted(called("a", 0), first, () -> abort(elsewhere)),
            new Noted(called("b", 1), second, () -> {}));
    assertThat(result.right()).containsExactly("a", "b");
    assertThat(first).hasSizeGreaterThan(1).allMatch(IdentityCheckTest::isClosed);
    assertThat(second).hasSizeGreaterThan(1).allMatch(IdentityCheckTest::isClosed);
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  private static CompletableFuture<Result> later(ShardAccess... shards) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return run(shards);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @RepeatedTest(5)
  void twoThatStartAtOnceAgree() throws Exception {
    CompletableFuture<Result> one = later(called("a", 0), called("b", 1));
    CompletableFuture<Result> other = later(called("b", 1), called("a", 0));
    assertThat(Await.result(one)).isEqualTo(Await.result(other));
    assertThat(one.get().right()).containsExactly("a", "b");
  }

  @RepeatedTest(5)
  void ofTwoThatSwapNamesAndStartAtOnceOneIsRefused() throws Exception {
    CompletableFuture<Result> one = later(called("a", 0), called("b", 1));
    CompletableFuture<Result> other = later(called("a", 1), called("b", 0));
    List<Result> results = List.of(Await.result(one), Await.result(other));
    assertThat(results).filteredOn(result -> result.right().size() == 2).hasSize(1);
    assertThat(results).filteredOn(result -> result.wrong().size() == 2).hasSize(1);
    assertThat(names()).isIn(List.of("[a]", "[b]"), List.of("[b]", "[a]"));
  }
}
