package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.scripted.ScriptedPools;
import io.shardmark.proxy.scripted.ScriptedServer;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.shardmap.CustomParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who gets a connection, when, and who is refused. */
@ExtendWith(LeakCheck.class)
final class ShardPoolTest {
  private static final Duration SWEEP = Duration.ofMillis(60);

  private final ScriptedPools pools = new ScriptedPools(1, ScriptedPools.limits(1));
  private final ShardPool pool = pools.pools().join("u").get(0);
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void releaseWhatNobodyRead() {
    pools.connector().close();
  }

  private final class Client implements PoolWaiter {
    final String name;
    final @Nullable Object holder;
    final RecordingUser user = new RecordingUser();
    @Nullable ServerConnection server;
    Set<String> own = Set.of();

    Client(String name, @Nullable Object holder) {
      this.name = name;
      this.holder = holder;
    }

    String asks() {
      return asks(Settings.NONE);
    }

    String asks(Settings wanted) {
      Acquire answer = pool.acquire(this, user, wanted);
      if (answer instanceof Acquire.Ready ready) {
        server = ready.server();
        return "ready";
      }
      return answer instanceof Acquire.Refused refused
          ? "refused: " + refused.error().message()
          : "waits";
    }

    void gives() {
      ServerConnection held = server;
      if (held != null) {
        server = null;
        pool.release(held, names -> own = names);
      }
    }

    @Override
    public void granted(ServerConnection granted) {
      pool.take(granted, user);
      server = granted;
      heard.add(name + " granted");
    }

    @Override
    public @Nullable Object holder() {
      return holder;
    }

    @Override
    public boolean suits(ServerConnection server) {
      return own.containsAll(server.dialog().customParameters());
    }

    @Override
    public void refused(ErrorFields error) {
      heard.add(name + " refused " + error.sqlState().code() + " " + error.message());
    }
  }

  private final Client first = new Client("first", null);
  private final Client second = new Client("second", null);
  private final Client third = new Client("third", null);

  private Client heldBy(Client client) {
    assertThat(client.asks()).isEqualTo("waits");
    pools.connector().accept();
    heard.clear();
    return client;
  }

  @Test
  void servesThoseWhoWaitInTheirOrder() {
    heldBy(first);
    assertThat(second.asks()).isEqualTo("waits");
    assertThat(third.asks()).isEqualTo("waits");
    assertThat(pools.connector().loginsUnderWay()).as("the pool's size is one").isZero();
    first.gives();
    second.gives();
    assertThat(heard).containsExactly("second granted", "third granted");
    third.gives();
    assertThat(first.asks()).isEqualTo("ready");
    assertThat(pool.openCount()).isEqualTo(1);
  }

  @Test
  void servesThoseFirstWhoHoldOtherConnections() {
    heldBy(first);
    second.asks();
    Client holder = new Client("holder", "session");
    holder.asks();
    first.gives();
    assertThat(heard).containsExactly("holder granted");
  }

  @Test
  void isNotCalledAfterItHasGivenUp() {
    heldBy(first);
    second.asks();
    third.asks();
    assertThat(pool.giveUp(second)).isTrue();
    assertThat(pool.giveUp(second)).isFalse();
    first.gives();
    assertThat(heard).containsExactly("third granted");
  }

  @Test
  void prefersAConnectionThatHasTheSettings() {
    ScriptedPools two = new ScriptedPools(1, ScriptedPools.limits(2));
    ShardPool wide = two.pools().join("u").get(0);
    RecordingUser user = new RecordingUser();
    wide.acquire(first, user, Settings.NONE);
    wide.acquire(second, user, Settings.NONE);
    two.connector().accept();
    two.connector().accept();
    Settings wanted = Settings.of(Map.of("search_path", "a"));
    ServerConnection set = wide.servers().get(0);
    set.dialog().setEqual(wanted);
    ServerConnection other = wide.servers().get(1);
    wide.release(set, names -> {});
    wide.release(other, names -> {});
    assertThat(wide.acquire(third, user, wanted)).isEqualTo(set.ready());
    assertThat(wide.acquire(third, user, wanted)).isEqualTo(other.ready());
  }

  @Test
  void aParameterThatWasMadeIsSeenByThoseOnlyWhoMadeIt() {
    ScriptedServer script = heldServer();
    second.own = Set.of("app.tenant");
    first.gives();
    assertThat(second.asks()).isEqualTo("ready");
    second.gives();
    assertThat(third.asks()).isEqualTo("waits");
    assertThat(script.isClosed()).as("it makes room").isTrue();
    pools.connector().accept();
    assertThat(heard).containsExactly("third granted");
  }

  @Test
  void closesWhatDoesNotSuitTheFirstWhoWaits() {
    ScriptedServer script = heldServer();
    second.own = Set.of("app.tenant");
    third.asks();
    second.asks();
    first.gives();
    assertThat(script.isClosed()).isTrue();
    pools.connector().accept();
    assertThat(heard).containsExactly("third granted");
  }

  @Test
  void asksForParametersThatMayHaveBeenMade() {
    first.asks();
    ScriptedServer script = pools.connector().accept();
    CustomParameters made = CustomParameters.in("set app.a = 1; set app.b = 2");
    pool.servers().get(0).dialog().mayMake(made);
    first.gives();
    assertThat(second.asks()).as("it is being asked").isEqualTo("waits");
    assertThat(script.received()).hasSize(1).allMatch(query -> query.contains("'app.a'"));
    script.says("B DataRow 1 \"app.a\"", "B CommandComplete \"SELECT 1\"", "B ReadyForQuery I");
    assertThat(first.own).containsExactly("app.a");
    assertThat(script.isClosed()).as("the next one has not made it").isTrue();
  }

  @Test
  void closesWhatItCannotAskForAllThatMayHaveBeenMade() {
    heldBy(first);
    CustomParameters made = CustomParameters.in("select set_config($1, $2, true)");
    pool.servers().get(0).dialog().mayMake(made);
    first.gives();
    assertThat(pool.openCount()).isZero();
  }

  @Test
  void closesWhatFailsToSayWhichParametersExist() {
    first.asks();
    ScriptedServer script = pools.connector().accept();
    pool.servers().get(0).dialog().mayMake(CustomParameters.in("set app.a = 1"));
    first.gives();
    script.says("B ErrorResponse S \"ERROR\" C \"57014\" M \"late\"", "B ReadyForQuery I");
    assertThat(script.isClosed()).isTrue();
  }

  private ScriptedServer heldServer() {
    first.asks();
    ScriptedServer script = pools.connector().accept();
    heard.clear();
    pool.servers().get(0).dialog().mayExist(Set.of("app.tenant"));
    return script;
  }

  @Test
  void refusesThoseWhoWaitedTooLong() {
    PoolConfig limits = ScriptedPools.limits(1);
    pools
        .pools()
        .setLimits(
            new PoolConfig(
                limits.mode(),
                1,
                Duration.ZERO,
                Duration.ZERO,
                limits.preparedStatementsPerServer(),
                Duration.ZERO,
                Duration.ZERO));
    second.asks();
    pools.pass(SWEEP);
    assertThat(heard)
        .containsExactly(
            "second refused 53300 no connection to shard s1 became free within pool_wait_timeout");
    assertThat(pool.waitingCount()).isZero();
  }

  @Test
  void refusesWhileTheShardIsDown() {
    first.asks();
    pools.connector().refuse("connection refused");
    assertThat(heard)
        .containsExactly("first refused 08006 no connection to shard s1: connection refused");
    assertThat(pool.isFailing()).isTrue();
    heard.clear();
    assertThat(second.asks()).isEqualTo("waits");
    assertThat(pools.connector().loginsUnderWay()).as("not again at once").isZero();
    pools.pass(Duration.ZERO);
    assertThat(heard).hasSize(1);
  }

  private void waitForAPrimary(Duration failoverWait) {
    PoolConfig limits = ScriptedPools.limits(1);
    pools
        .pools()
        .setLimits(
            new PoolConfig(
                limits.mode(),
                1,
                limits.waitTimeout(),
                failoverWait,
                1,
                Duration.ZERO,
                Duration.ZERO));
  }

  @Test
  void waitsForAShardThatMayGetAnotherPrimary() {
    waitForAPrimary(Duration.ofSeconds(10));
    first.asks();
    pools.connector().refuse("no primary");
    pools.pass(SWEEP);
    assertThat(heard).isEmpty();
    assertThat(pools.connector().loginsUnderWay()).as("it is tried again").isEqualTo(1);
    pools.connector().accept();
    assertThat(heard).containsExactly("first granted");
  }

  @Test
  void waitsForAnotherPrimaryNoLongerThanItMay() {
    waitForAPrimary(Duration.ofSeconds(10));
    first.asks();
    pools.connector().refuse("no primary");
    pools.pass(Duration.ofSeconds(9));
    assertThat(heard).isEmpty();
    pools.pass(Duration.ofSeconds(2));
    assertThat(heard).containsExactly("first refused 08006 no connection to shard s1: no primary");
  }

  @Test
  void endsWhatLeadsToAHostThatIsNoLongerThePrimary() {
    heldBy(first);
    pools.pools().cut(0);
    assertThat(pool.openCount()).isZero();
    assertThat(first.user.heard())
        .singleElement()
        .asString()
        .endsWith(": its host is no longer the shard's primary");
  }

  @Test
  void grantsNothingNewInAPause() {
    heldBy(first);
    first.gives();
    pools.pools().pause();
    assertThat(second.asks()).isEqualTo("waits");
    Client holder = new Client("holder", "session");
    assertThat(holder.asks()).as("its transaction has begun").isEqualTo("ready");
    holder.gives();
    assertThat(heard).isEmpty();
    pools.pools().resume();
    assertThat(heard).containsExactly("second granted");
    assertThat(pool.isPaused()).isFalse();
  }

  @Test
  void aPoolMadeInAPauseIsPausedToo() {
    pools.pools().pause();
    assertThat(pools.pools().join("other").get(0).isPaused()).isTrue();
  }

  @Test
  void refusesAllWhenItCloses() {
    heldBy(first);
    second.asks();
    pools.pools().close();
    assertThat(first.user.heard()).anyMatch(line -> line.startsWith("lost "));
    assertThat(heard).containsExactly("second refused 57P01 the proxy is shutting down");
    pools.pools().resume();
    assertThat(third.asks()).isEqualTo("refused: the proxy is shutting down");
    assertThat(pools.connector().loginsUnderWay()).isZero();
  }

  @Test
  void theReserveBreaksACircle() {
    heldBy(first);
    Client holder = new Client("holder", "session");
    holder.asks();
    pools.pass(SWEEP);
    ScriptedServer reserve = pools.connector().accept();
    assertThat(heard).containsExactly("holder granted");
    assertThat(pool.openCount()).isEqualTo(2);
    holder.gives();
    assertThat(reserve.isClosed()).as("for one client only").isTrue();
    assertThat(pool.openCount()).isEqualTo(1);
  }

  @Test
  void doesNotHandOutWhatLeadsToAnotherServer() {
    heldBy(first);
    pools.pools().moved(0);
    first.gives();
    assertThat(pool.openCount()).isZero();
    assertThat(second.asks()).isEqualTo("waits");
    assertThat(pools.connector().loginsUnderWay()).isEqualTo(1);
  }

  @Test
  void aLoginThatBeganBeforeItsRoleEndedIsClosed() {
    first.asks();
    pools.pools().rolesEnded(0, Set.of("u"));
    ScriptedServer old = pools.connector().accept();
    assertThat(old.isClosed()).isTrue();
    assertThat(heard).isEmpty();
    pools.connector().accept();
    assertThat(heard).containsExactly("first granted");
  }

  @Test
  void closesWhatIsOlderThanItMayBe() {
    heldBy(first);
    first.gives();
    PoolConfig limits = ScriptedPools.limits(1);
    pools
        .pools()
        .setLimits(
            new PoolConfig(
                limits.mode(),
                1,
                limits.waitTimeout(),
                Duration.ZERO,
                1,
                Duration.ZERO,
                Duration.ofNanos(1)));
    pools.pass(Duration.ofSeconds(6));
    assertThat(pool.openCount()).isZero();
  }

  @Test
  void forgetsUsersWhomNoShardHasLetIn() {
    pools.pools().leave("u");
    assertThat(pools.pools().of("u")).isEmpty();
    heldByOther();
    pools.pools().leave("known");
    assertThat(pools.pools().of("known")).hasSize(1);
  }

  private void heldByOther() {
    ShardPool known = pools.pools().join("known").get(0);
    known.acquire(first, first.user, Settings.NONE);
    pools.connector().accept();
  }

  @Test
  void turnsAwayWhoWouldBeOneTooMany() {
    heldBy(first);
    for (int i = 0; i < 100_000; i++) {
      new Client("one of many", null).asks();
    }
    assertThat(second.asks())
        .isEqualTo("refused: too many clients wait for a connection to shard s1");
    assertThat(SqlState.TOO_MANY_CONNECTIONS.code()).isEqualTo("53300");
  }
}
