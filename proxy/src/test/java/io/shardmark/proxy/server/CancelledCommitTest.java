package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.faults.Relay;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A cancel request that comes when a commit over two shards is decided ends none of it. */
final class CancelledCommitTest {
  private static final int LIMIT_SECONDS = 30;

  @Test
  void goesOn() throws Exception {
    try (Relay link = Relay.to(RunningProxy.serverPort());
        RunningProxy proxy = RunningProxy.startBehind(link, 2)) {
      proxy.makeOnShards(
          "create table l (id int primary key, v int) partition by list (id);"
              + "create table l_$shard partition of l for values in ($shard + 1)");
      try (WireClient client = proxy.login()) {
        client.query("begin; insert into l values (1, 1), (2, 2)");
        CompletableFuture<Void> decided = link.stallAtCommitPrepared();
        client.sendQuery("commit");
        decided.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        // It ends when all servers that it concerns have got a request.
        assertThat(CompletableFuture.runAsync(() -> cancel(proxy, client)))
            .as("the request concerns no server")
            .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS));
        link.flow();
        assertThat(client.answer()).as("its error").isEmpty();
        assertThat(client.query("select count(*) from l")).isEqualTo("2");
      } finally {
        link.flow();
      }
      try (Connection shard = proxy.shard(0);
          Statement statement = shard.createStatement();
          ResultSet prepared = statement.executeQuery("select gid from pg_prepared_xacts")) {
        assertThat(prepared.next()).isFalse();
      }
    }
  }

  private static void cancel(RunningProxy proxy, WireClient client) {
    try {
      WireClient.cancel(proxy.port(), client.key());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
