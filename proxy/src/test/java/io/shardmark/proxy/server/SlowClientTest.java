package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client that asks for much and reads nothing, then reads on. */
final class SlowClientTest {
  private static final int ROWS = 100_000;
  private static final int ROW_CHARS = 2_000;
  private static final int RECEIVE_BYTES = 64 * 1024;

  /** A fraction of the 200 MB of the answer; the allocator takes chunks of 4 MB. */
  private static final long MAX_BYTES = 32L << 20;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 2");
    proxy.makeOnShards("create table t (id int primary key, v text)");
  }

  private static long bufferBytes() {
    var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
    return metric.usedDirectMemory() + metric.usedHeapMemory();
  }

  private static boolean isWaitingForItsClient() throws SQLException {
    try (Connection direct = proxy.shard(0);
        Statement statement = direct.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where datname = current_database() and"
                    + " wait_event = 'ClientWrite'")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1) == 1;
    }
  }

  @Test
  void hugeResultOfOneShardTakesBoundedMemory() throws Exception {
    try (WireClient slow = login();
        WireClient neighbour = proxy.login()) {
      long before = bufferBytes();
      slow.sendQuery(
          "select repeat('x', %d) from generate_series(1, %d)".formatted(ROW_CHARS, ROWS));
      Await.until("the server is held up", SlowClientTest::isWaitingForItsClient);
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
      assertThat(neighbour.query("select 7")).isEqualTo("7");

      int rows = 0;
      for (WireClient.Message message = slow.next().orElseThrow();
          message.type() != 'Z';
          message = slow.next().orElseThrow()) {
        rows += message.type() == 'D' ? 1 : 0;
      }
      assertThat(rows).isEqualTo(ROWS);
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
    }
  }

  @Test
  void aFloodOfQueriesWhoseAnswersAreNotReadTakesBoundedMemory() throws Exception {
    long before = bufferBytes();
    try (WireClient slow = login();
        WireClient neighbour = proxy.login()) {
      Thread flood =
          new Thread(
              () -> {
                for (int i = 0; i < 3_000; i++) {
                  slow.sendQuery("select repeat('x', 100000)");
                }
              });
      flood.start();
      Await.until("the server is held up", SlowClientTest::isWaitingForItsClient);
      assertThat(bufferBytes() - before).isLessThan(MAX_BYTES);
      assertThat(neighbour.query("select 7")).isEqualTo("7");
      for (int i = 0; i < 3_000; i++) {
        assertThat(slow.answer()).hasSize(100_000);
      }
      flood.join();
    }
  }

  private static WireClient login() throws IOException {
    return WireClient.openSlow(proxy.port(), RECEIVE_BYTES).startup(ProtocolVersion.V3_0, Map.of());
  }
}
