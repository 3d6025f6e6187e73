package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.faults.Relay;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Links to shards that the proxy finds broken when it writes to them, before it has read anything
 * of it: the statement in whose middle that is gets one answer, and the next one its own.
 */
final class BrokenLinksTest {
  private static final int ROUNDS = 10;

  private static Relay link;
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException, IOException {
    link = Relay.to(RunningProxy.serverPort());
    proxy = RunningProxy.startBehind(link, 2, "pool_size: 1", "transport: nio");
    proxy.makeOnShards(
        "create table l (id int primary key, v int) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1);"
            + "insert into l values ($shard + 1, 7)");
  }

  /**
   * Whether the proxy finds a link broken when it reads or when it writes is a matter of chance.
   */
  @ParameterizedTest
  @CsvSource({
    "select count(*) from l, 2",
    "select id from l order by id, 2",
    "update l set v = v, ''",
    "select v from l where id = 2, 7",
    "/* settings come first */ select v from l where id = 2, 7"
  })
  void areAnsweredOnce(String sql, String answer) throws Exception {
    try (WireClient client = proxy.login();
        WireClient other = proxy.login()) {
      if (sql.contains("settings")) {
        client.query("set work_mem = '5MB'");
      }
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(client.query(sql)).as("in round %d", round).isEqualTo(answer);
        other.query("select v from l where id = 1");
        other.query("select v from l where id = 2");
        breakUnderWay(client, sql);
        assertThat(client.answer()).isIn(answer, "08006");
      }
    }
  }

  /** The proxy finds the message of the client and the broken links in one turn of its loop. */
  private static void breakUnderWay(WireClient client, String sql) throws Exception {
    EventLoop loop = proxy.server().loops().get(0).loop();
    CompletableFuture<Void> held = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    loop.execute(
        () -> {
          held.complete(null);
          goOn.join();
        });
    try {
      Await.result(held);
      client.sendQuery(sql);
      link.reset();
    } finally {
      goOn.complete(null);
    }
  }
}
