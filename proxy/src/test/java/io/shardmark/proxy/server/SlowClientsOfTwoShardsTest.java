package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Much goes through the proxy, and one end of it is slow: memory stays far below what goes through,
 * and other clients of the same event loop are served.
 */
final class SlowClientsOfTwoShardsTest {
  private static final int ROWS = 2_000;
  private static final int WIDE = 100;
  private static final int ROW_CHARS = 1_000;
  private static final int RECEIVE_BYTES = 64 * 1024;

  /** Of the 200 MB that each of these moves; buffers of sockets and chunks of the allocator. */
  private static final long MAX_BUFFER_BYTES = 40L << 20;

  private static final long MAX_HEAP_BYTES = 32L << 20;
  private static final int COPIED_ROWS = 10_000;
  private static final int COPIED_CHARS = 10_000;
  private static final int LOCK = 4711;

  @AutoClose private static RunningProxy proxy;
  private static long buffersBefore;
  private static long heapBefore;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 3", "scatter_memory_limit: 4MB");
    proxy.makeOnShards(
        """
        create table big (id int primary key, v text) partition by hash (id);
        create table big_$shard partition of big for values with (modulus 2, remainder $shard);
        insert into big select g, repeat('x', %d) from generate_series(1, %d) g
          where satisfies_hash_partition('big'::regclass, 2, $shard, g);
        create table fed (id int primary key, v text) partition by hash (id);
        create table fed_$shard partition of fed for values with (modulus 2, remainder $shard);
        create function held_up() returns trigger language plpgsql as $body$
          begin
            perform pg_advisory_xact_lock_shared(%d);
            new.v := length(new.v);
            return new;
          end $body$;
        create trigger held_up before insert on fed_$shard for each row execute function held_up();
        """
            .formatted(ROW_CHARS, ROWS, LOCK));
  }

  private static long bufferBytes() {
    var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
    return metric.usedDirectMemory() + metric.usedHeapMemory();
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void remember() {
    buffersBefore = bufferBytes();
    heapBefore = heapBytes();
  }

  private static void assertBounded() {
    assertThat(bufferBytes() - buffersBefore).as("buffers").isLessThan(MAX_BUFFER_BYTES);
  }

  private static void assertHeapBounded() {
    assertBounded();
    assertThat(heapBytes() - heapBefore).as("heap").isLessThan(MAX_HEAP_BYTES);
  }

  private static int countOnShards(String condition) throws SQLException {
    int count = 0;
    for (int shard = 0; shard < 2; shard++) {
      try (Connection direct = proxy.shard(shard);
          Statement statement = direct.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "select count(*) from pg_stat_activity where datname = current_database() and "
                      + condition)) {
        row.next();
        count += row.getInt(1);
      }
    }
    return count;
  }

  /** Another client of the loop: one shard, both shards, a write on both. */
  private static void assertServed(WireClient neighbour) throws IOException {
    assertThat(neighbour.query("select count(*) from big where id = 7")).isEqualTo("1");
    assertThat(neighbour.query("select count(*) from big")).isEqualTo(String.valueOf(ROWS));
    assertThat(neighbour.query("select id from big order by id desc limit 1"))
        .isEqualTo(String.valueOf(ROWS));
  }

  private static WireClient slowClient() throws IOException {
    return WireClient.openSlow(proxy.port(), RECEIVE_BYTES).startup(ProtocolVersion.V3_0, Map.of());
  }

  private static Consumer<ByteBuf> extended(String sql) {
    return out -> {
      FrontendMessages.parse(out, "", sql);
      FrontendMessages.bind(out, "", "");
      FrontendMessages.execute(out, "", 0);
      FrontendMessages.sync(out);
    };
  }

  private static void assertPassesSlowly(Consumer<ByteBuf> query, char rowType, int servers)
      throws Exception {
    assertPassesSlowly(query, rowType, servers, ROWS);
  }

  private static void assertPassesSlowly(
      Consumer<ByteBuf> query, char rowType, int servers, int expected) throws Exception {
    remember();
    try (WireClient slow = slowClient();
        WireClient neighbour = proxy.login()) {
      slow.send(query);
      Await.until(
          "the servers are held up", () -> countOnShards("wait_event = 'ClientWrite'") == servers);
      assertServed(neighbour);
      assertHeapBounded();
      int rows = 0;
      for (WireClient.Message message = slow.next().orElseThrow();
          message.type() != 'Z';
          message = slow.next().orElseThrow()) {
        assertThat(message.type()).isNotEqualTo('E');
        if (message.type() == rowType && ++rows % 100 == 0) {
          assertServed(neighbour);
          assertBounded();
        }
      }
      assertThat(rows).isEqualTo(expected);
      assertHeapBounded();
      assertServed(neighbour);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " order by v, id", " order by id desc"})
  void rowsOfTwoShards(String order) throws Exception {
    String sql = "select id, v, repeat(v, " + WIDE + ") from big" + order;
    // A sorted merge waits for one of them while the other is ahead.
    int heldUp = 2;
    assertPassesSlowly(out -> FrontendMessages.query(out, sql), 'D', heldUp);
    assertPassesSlowly(extended(sql), 'D', heldUp);
  }

  @Test
  void copyOutOfTwoShards() throws Exception {
    String sql = "copy (select id, repeat(v, " + WIDE + ") from big) to stdout";
    assertPassesSlowly(out -> FrontendMessages.query(out, sql), 'd', 2);
    String binary = sql + " (format binary)";
    // In front of the rows the header, behind them the trailer.
    assertPassesSlowly(out -> FrontendMessages.query(out, binary), 'd', 2, ROWS + 2);
  }

  @Test
  void rowsOfOneShard() throws Exception {
    String own = "from (select v from big where id = 7) s, generate_series(1, " + ROWS + ")";
    String rows = "select v, repeat(v, " + WIDE + ") " + own;
    assertPassesSlowly(out -> FrontendMessages.query(out, rows), 'D', 1);
    assertPassesSlowly(extended(rows), 'D', 1);
    assertPassesSlowly(out -> FrontendMessages.query(out, "copy (" + rows + ") to stdout"), 'd', 1);
  }

  // ---- the other way ----

  /** Sends all the data, as fast as it is taken. */
  private static Thread feed(WireClient client) {
    byte[] wide = "y".repeat(COPIED_CHARS).getBytes(StandardCharsets.US_ASCII);
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int id = 1; id <= COPIED_ROWS; id++) {
                  byte[] key = (id + "\t").getBytes(StandardCharsets.US_ASCII);
                  client.send(
                      out -> {
                        FrontendMessages.copyDataHeader(out, key.length + wide.length + 1);
                        out.writeBytes(key).writeBytes(wide).writeByte('\n');
                      });
                }
                client.send(FrontendMessages::copyDone);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    thread.start();
    return thread;
  }

  /** Whether the proxy takes no more from its clients, though it is asked other things. */
  private static boolean isStalled(WireClient neighbour) throws IOException {
    long before = proxy.sum(LoopCounter.CLIENT_BYTES_IN);
    int questions = 50;
    String question = "select 7";
    for (int i = 0; i < questions; i++) {
      assertThat(neighbour.query(question)).isEqualTo("7");
    }
    long own = questions * (question.length() + 6L);
    return proxy.sum(LoopCounter.CLIENT_BYTES_IN) - before == own;
  }

  /** Whether the event loop waits for its sockets, with nothing to do meanwhile. */
  private static boolean isLoopAtRest() throws Exception {
    EventLoop loop = proxy.server().loops().get(0).loop();
    // One that asks itself to look again has the next look queued behind each.
    return loop.submit(((SingleThreadEventExecutor) loop)::pendingTasks).get() == 0;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void copyInToASlowShard(int slowShard) throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate fed");
    }
    remember();
    try (Connection blocker = proxy.shard(slowShard);
        Statement lock = blocker.createStatement();
        WireClient fast = proxy.login();
        WireClient neighbour = proxy.login()) {
      lock.execute("select pg_advisory_lock(" + LOCK + ")");
      fast.sendQuery("copy fed from stdin");
      assertThat(fast.until('G')).hasSize(1);
      Thread feeding = feed(fast);
      Await.until("a shard does not read on", () -> countOnShards("wait_event = 'advisory'") == 1);
      Await.until("nothing is taken from the client", () -> isStalled(neighbour));
      Await.until("the event loop rests", SlowClientsOfTwoShardsTest::isLoopAtRest);
      assertThat(feeding.isAlive()).as("it would send more").isTrue();
      assertServed(neighbour);
      assertHeapBounded();
      lock.execute("select pg_advisory_unlock(" + LOCK + ")");
      while (feeding.isAlive()) {
        assertThat(neighbour.query("select 7")).isEqualTo("7");
        assertBounded();
      }
      for (WireClient.Message message : fast.untilReady()) {
        assertThat(message.type()).as(() -> message.field('M')).isNotEqualTo('E');
      }
      assertThat(neighbour.query("select count(*) from fed where v = '" + COPIED_CHARS + "'"))
          .isEqualTo(String.valueOf(COPIED_ROWS));
    }
  }
}
