package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that pipelines much to a server that reads nothing, since it waits for a lock. */
@SuppressWarnings("try") // who holds the lock ends before the block, or is not spoken to
final class LongPipelineTest {
  private static final int STATEMENTS = 16_000;
  private static final int PARAMETER_CHARS = 4_000;

  /** A fraction of the 64 MB of the pipeline; the allocator takes chunks of 4 MB. */
  private static final long MAX_BYTES = 32L << 20;

  private static final String LOCK = "/* shardmark_shard: s0 */ select pg_advisory_xact_lock(1)";
  private static final String HERE = "/* shardmark_shard: s0 */ ";

  @AutoClose private static RunningProxy one;
  @AutoClose private static RunningProxy two;

  @BeforeAll
  static void start() {
    one = RunningProxy.start(1, "pool_size: 4");
    two = RunningProxy.start(2, "pool_size: 4");
  }

  private static RunningProxy over(int shards) {
    return shards == 1 ? one : two;
  }

  private static long bufferBytes() {
    var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
    return metric.usedDirectMemory() + metric.usedHeapMemory();
  }

  /** A connection past the proxy that holds what the pipeline begins with. */
  private static Connection lockHolder(RunningProxy proxy) throws SQLException {
    Connection holder = proxy.shard(0);
    try (Statement statement = holder.createStatement()) {
      statement.execute("select pg_advisory_lock(1)");
    }
    return holder;
  }

  private static void release(Connection holder) throws SQLException {
    try (Statement statement = holder.createStatement()) {
      statement.execute("select pg_advisory_unlock(1)");
    }
  }

  private static void parse(ByteBuf out, String name, String sql) {
    FrontendMessages.parse(out, name, sql);
  }

  private static void execute(ByteBuf out, String statement, List<String> values) {
    new BindWriter(out, "", statement).texts(List.copyOf(values)).resultsInText();
    FrontendMessages.execute(out, "", 0);
  }

  /** A pipeline that waits for the lock first, sent by a thread of its own up to its Sync. */
  private static Thread flood(RawClient client, String sql) {
    String value = "v".repeat(PARAMETER_CHARS);
    Thread thread =
        new Thread(
            () -> {
              try {
                client.send(
                    out -> {
                      parse(out, "", LOCK);
                      execute(out, "", List.of());
                      parse(out, "p", HERE + sql);
                    });
                for (int i = 0; i < STATEMENTS; i++) {
                  client.send(out -> execute(out, "p", List.of(value)));
                }
                client.send(FrontendMessages::sync);
              } catch (IOException e) {
                // The client is closed: who reads its answers finds that out too.
              }
            });
    thread.start();
    return thread;
  }

  /**
   * Waits until nothing more is read from the pipeline while a neighbour on the same event loop is
   * served a hundred times, or all of it has been sent.
   */
  private static void untilHeldUp(RunningProxy proxy, WireClient neighbour, Thread flood)
      throws Exception {
    Await.until("the lock is waited for", () -> waiters(proxy) == 1);
    Await.until(
        "the pipeline is held up",
        () -> {
          long before = proxy.sum(LoopCounter.CLIENT_BYTES_IN);
          neighbour.query("select 7");
          long query = proxy.sum(LoopCounter.CLIENT_BYTES_IN) - before;
          for (int i = 0; i < 100; i++) {
            neighbour.query("select 7");
          }
          long all = proxy.sum(LoopCounter.CLIENT_BYTES_IN) - before;
          return all == 101 * query || !flood.isAlive();
        });
  }

  private static int waiters(RunningProxy proxy) throws SQLException {
    String sql =
        "select count(*) from pg_stat_activity"
            + " where datname = current_database() and wait_event = 'advisory'";
    return Integer.parseInt(proxy.onShard(0, sql));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void takesBoundedMemoryAndGoesOn(int shards) throws Exception {
    RunningProxy proxy = over(shards);
    long before = bufferBytes();
    try (Connection holder = lockHolder(proxy);
        RawClient client = RawClient.connect(proxy);
        WireClient neighbour = proxy.login()) {
      Thread flood = flood(client, "select length($1::text)");
      untilHeldUp(proxy, neighbour, flood);
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
      assertThat(flood.isAlive()).as("the client has to wait").isTrue();
      release(holder);
      assertThat(client.readTo('Z')).isEqualTo(STATEMENTS + 1);
      flood.join();
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
    }
  }

  /** Nobody reads anything; then the client does, and everything flows again. */
  @Test
  void resultsThatAreNotReadHoldUpTheServerAndThenThePipeline() throws Exception {
    long before = bufferBytes();
    try (Connection holder = lockHolder(one);
        RawClient client = RawClient.connect(one);
        WireClient neighbour = one.login()) {
      Thread flood = flood(client, "select repeat($1::text, 5)");
      untilHeldUp(one, neighbour, flood);
      release(holder);
      Await.until("the server is held up by its client", () -> isWaitingToWrite(one));
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
      assertThat(neighbour.query("select 7")).isEqualTo("7");
      assertThat(client.readTo('Z')).isEqualTo(STATEMENTS + 1);
      flood.join();
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
    }
  }

  private static boolean isWaitingToWrite(RunningProxy proxy) throws SQLException {
    String sql =
        "select count(*) from pg_stat_activity"
            + " where datname = current_database() and wait_event = 'ClientWrite'";
    return proxy.onShard(0, sql).equals("1");
  }

  @Test
  void isToldOfALossAndGoesOn() throws Exception {
    try (Connection holder = lockHolder(one);
        RawClient client = RawClient.connect(one);
        WireClient neighbour = one.login()) {
      Thread flood = flood(client, "select length($1::text)");
      untilHeldUp(one, neighbour, flood);
      one.onShard(
          0,
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and wait_event = 'advisory'");
      assertThat(client.read().type()).isEqualTo('1');
      assertThat(client.readTo('E')).isZero();
      client.readTo('Z');
      flood.join();
      client.send(out -> FrontendMessages.query(out, "select 8"));
      assertThat(client.readTo('Z')).isEqualTo(1);
      release(holder);
    }
  }
}
