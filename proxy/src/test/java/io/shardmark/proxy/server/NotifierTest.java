package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A notification carries the number that its sender knows as its process: BackendKeyData's. */
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

  private static int notifier(WireClient listener) throws IOException {
    var all = listener.until('A');
    return ByteBuffer.wrap(all.get(all.size() - 1).content().toArray()).getInt();
  }
}
