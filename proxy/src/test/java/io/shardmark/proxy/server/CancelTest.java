package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Cancel requests on a pool of two server connections: they must hit what they mean, or nothing.
 */
final class CancelTest {
  private static final String CANCELLED = "57014";

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 2", "pool_wait_timeout: 1min");
    proxy.makeOnShards("create table t (id int primary key); insert into t values (1)");
  }

  private static boolean isRunning(String text) throws SQLException {
    try (Connection direct = proxy.shard(0);
        Statement statement = direct.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
                    + " and query like '%"
                    + text
                    + "%'")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1) > 0;
    }
  }

  @Test
  void endsTheQueryThatRuns() throws Exception {
    try (WireClient client = proxy.login()) {
      client.sendQuery("select pg_sleep(601)");
      Await.until("it runs", () -> isRunning("pg_sleep(601)"));
      WireClient.cancel(proxy.port(), client.key());
      assertThat(client.answer()).isEqualTo(CANCELLED);
      assertThat(client.query("select 1")).isEqualTo("1");
    }
  }

  @Test
  void endsTheWaitForAConnection() throws Exception {
    try (WireClient one = proxy.login();
        WireClient two = proxy.login();
        WireClient waiter = proxy.login()) {
      one.query("begin");
      one.query("select 1");
      two.query("begin");
      two.query("select 1");
      waiter.sendQuery("select 2");
      Await.until("it waits", () -> waiting() == 1);
      WireClient.cancel(proxy.port(), waiter.key());
      assertThat(waiter.answer()).isEqualTo(CANCELLED);
      one.query("commit");
      assertThat(waiter.query("select 3")).isEqualTo("3");
      assertThat(two.query("select 4")).isEqualTo("4");
    }
  }

  private static int waiting() throws Exception {
    var loop = proxy.server().loops().get(0);
    return loop.loop().submit(() -> loop.pools().of("postgres").get(0).waitingCount()).get();
  }

  @Test
  void longKeysOfProtocol32AreComparedWhole() throws Exception {
    try (WireClient client =
        WireClient.open(proxy.port()).startup(ProtocolVersion.V3_2, Map.of())) {
      assertThat(client.key().secretKey().length()).isEqualTo(32);
      client.sendQuery("select pg_sleep(602)");
      Await.until("it runs", () -> isRunning("pg_sleep(602)"));
      byte[] secret = client.key().secretKey().toArray();
      int process = client.key().processId();
      long before = cancelsTaken();
      for (int length : new int[] {4, 16, 31}) {
        WireClient.cancel(
            proxy.port(), new CancelKey(process, Bytes.of(Arrays.copyOf(secret, length))));
      }
      byte[] changed = secret.clone();
      changed[31] ^= 1;
      WireClient.cancel(proxy.port(), new CancelKey(process, Bytes.of(changed)));
      assertThat(cancelsTaken()).isEqualTo(before);
      WireClient.cancel(proxy.port(), client.key());
      assertThat(client.answer()).isEqualTo(CANCELLED);
    }
  }

  private static long cancelsTaken() throws Exception {
    // What a request began has been done by the loop before this.
    proxy.server().loops().get(0).loop().submit(() -> {}).get();
    return proxy.sum(LoopCounter.CANCELS);
  }

  @Test
  void protocol30HasKeysOfFourBytes() throws IOException {
    try (WireClient client = proxy.login()) {
      assertThat(client.key().secretKey().length()).isEqualTo(4);
    }
  }

  /** A driver waits for the end of the connection of its cancel request before it goes on. */
  @Test
  void aCancelThatIsDoneHitsNoLaterStatement() throws Exception {
    try (WireClient client = proxy.login()) {
      for (int i = 0; i < 400; i++) {
        String ends = "select pg_sleep(%d / 100000.0)".formatted(i); // about when it is cancelled
        client.sendQuery(ends);
        WireClient.cancel(proxy.port(), client.key());
        client.untilReady();
        assertThat(client.query("select 2")).isEqualTo("2");
      }
    }
  }

  /** One client's every query is cancelled at some time or other; its neighbours' never. */
  @Test
  void aStormOfCancelsHitsNoNeighbour() throws Exception {
    int neighbours = 4;
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (WireClient victim = proxy.login()) {
      CancelKey key = victim.key();
      List<Future<Integer>> cancellers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        cancellers.add(threads.submit(() -> cancelUntil(over, key)));
      }
      List<Future<Integer>> others = new ArrayList<>();
      for (int i = 0; i < neighbours; i++) {
        others.add(threads.submit(() -> queriesUntil(over)));
      }
      int hit = 0;
      for (int i = 0; i < 2_000 || hit == 0; i++) {
        String answer = victim.query("select id from t where id = 1");
        assertThat(answer).isIn("1", CANCELLED);
        hit += answer.equals(CANCELLED) ? 1 : 0;
      }
      over.set(true);
      for (Future<Integer> canceller : cancellers) {
        assertThat(Await.result(canceller)).isPositive();
      }
      for (Future<Integer> other : others) {
        assertThat(Await.result(other)).isPositive();
      }
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  private static int cancelUntil(AtomicBoolean over, CancelKey key) throws IOException {
    int count = 0;
    do {
      WireClient.cancel(proxy.port(), key);
      count++;
    } while (!over.get());
    return count;
  }

  private static int queriesUntil(AtomicBoolean over) throws IOException {
    int count = 0;
    try (WireClient client = proxy.login()) {
      do {
        assertThat(client.query("select count(*) from generate_series(1, 100)")).isEqualTo("100");
        count++;
      } while (!over.get());
    }
    return count;
  }
}
