package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.metrics.LoopCounter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Notifications reach who listens, from whichever shard, once; and carry the number that the sender
 * knows as its process: BackendKeyData's.
 */
final class NotifierTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void isTheClientThatNotified(int shards) throws IOException {
    try (RunningProxy proxy = RunningProxy.start(shards, "pool_size: 3");
        WireClient listener = proxy.login();
        WireClient other = proxy.login()) {
      listener.query("listen news");
      other.query("notify news, 'from another'");
      assertThat(notifier(listener)).isEqualTo(other.key().processId());
      for (String notify :
          List.of("select pg_notify('news', 'called')", "do $$ begin notify news; end $$")) {
        try (WireClient third = proxy.login()) {
          third.query("/* shardmark_shard: s0 */ " + notify);
          assertThat(notifier(listener)).isEqualTo(third.key().processId());
        }
      }
      listener.sendQuery("notify news, 'its own'");
      assertThat(notifier(listener)).isEqualTo(listener.key().processId());
    }
  }

  private static final String TABLES =
      """
      create table t (k int primary key, v int) partition by hash (k);
      create table t_$shard partition of t for values with (modulus 2, remainder $shard);
      create function news() returns trigger language plpgsql
        as $$begin perform pg_notify('news', 'row ' || new.k); return null; end$$;
      create trigger news after insert on t for each row execute function news()""";

  @Test
  void comesFromEveryShard() throws SQLException, IOException {
    try (RunningProxy proxy = RunningProxy.start(2);
        WireClient listener = proxy.login();
        WireClient other = proxy.login()) {
      proxy.makeOnShards(TABLES);
      listener.query("listen \"News\"");
      listener.query("listen news");
      other.query("notify news, 'sent'");
      other.query("select pg_notify('news', 'called')");
      for (int key = 1; key <= 6; key++) {
        other.query("insert into t values (" + key + ", 1)");
      }
      other.query("select pg_notify('news', 'seen ' || k) from t where k = 3");
      other.query("/* shardmark_shard: s1 */ do $$begin notify news, 'last'; end$$");
      assertThat(payloads(listener, "last"))
          .containsExactlyInAnyOrder(
              "sent", "called", "row 1", "row 2", "row 3", "row 4", "row 5", "row 6", "seen 3",
              "last");
      // A transaction over both shards, and one that is rolled back.
      other.query("begin; update t set v = 2; notify news, 'first of all'; commit");
      other.query("begin; notify news, 'never'; rollback");
      other.query("begin; select pg_notify('news', 'second'); update t set v = 2; commit");
      other.query("notify news, 'end'");
      assertThat(payloads(listener, "end")).containsExactly("first of all", "second", "end");
      listener.query("unlisten news");
      listener.query("notify news, 'unheard'");
      other.query("begin; listen news; rollback");
      other.query("begin; listen news; update t set v = 3 where k = 1; commit");
      listener.query("insert into t values (7, 1), (8, 1)");
      listener.query("notify news, 'over'");
      assertThat(payloads(other, "over")).contains("over");
      long pinned = proxy.sum(LoopCounter.SESSIONS_PINNED);
      try (WireClient third = proxy.login()) {
        assertThat(third.query("listen news news")).isEqualTo("42601");
        third.query("begin; listen news; rollback");
        third.query("unlisten *");
        assertThat(third.query("select 1")).isEqualTo("1");
        assertThat(proxy.sum(LoopCounter.SESSIONS_PINNED)).isEqualTo(pinned);
        third.query("listen news");
        assertThat(proxy.sum(LoopCounter.SESSIONS_PINNED)).isEqualTo(pinned + 1);
      }
    }
  }

  /** Up to that one. */
  private static List<String> payloads(WireClient listener, String last) throws IOException {
    List<String> payloads = new ArrayList<>();
    while (!payloads.contains(last)) {
      for (WireClient.Message message : listener.until('A')) {
        if (message.type() == 'A') {
          String body = new String(message.content().toArray(), StandardCharsets.UTF_8);
          payloads.add(body.split("\0", -1)[body.split("\0", -1).length - 2]);
        }
      }
    }
    return payloads;
  }

  private static int notifier(WireClient listener) throws IOException {
    var all = listener.until('A');
    return ByteBuffer.wrap(all.get(all.size() - 1).content().toArray()).getInt();
  }
}
