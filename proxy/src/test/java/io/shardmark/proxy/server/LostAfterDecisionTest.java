package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.faults.Relay;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The connection to a shard that has prepared is lost after the decision to commit, and there is no
 * other for a while: the client is not answered before the shard shows the rows.
 */
final class LostAfterDecisionTest {
  private Relay link;
  private RunningProxy proxy;
  private WireClient client;

  @BeforeEach
  void start() throws Exception {
    link = Relay.to(RunningProxy.serverPort());
    proxy = RunningProxy.startBehind(link, 2);
    proxy.makeOnShards(
        "create table l (id int primary key) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1)");
    client = proxy.login();
    client.query("begin; insert into l values (1), (2)");
    allowConnections(false);
    CompletableFuture<Void> lost = link.loseCommitPrepared();
    client.sendQuery("commit");
    Await.result(lost);
    // Those of the other shard serve other clients meanwhile.
    Await.until("its connections are given back", () -> proxy.holders() == 0);
  }

  /** The first shard has prepared: the second is the anchor. */
  private void allowConnections(boolean allowed) throws SQLException {
    proxy.onServer("alter database %s allow_connections %s".formatted(proxy.database(0), allowed));
  }

  @AfterEach
  void end() throws IOException, SQLException {
    allowConnections(true);
    client.close();
    proxy.close();
    link.close();
  }

  @Test
  void commitIsAnsweredWhenItsRowsAreSeen() throws Exception {
    allowConnections(true);
    assertThat(WireClient.types(client.untilReady())).isEqualTo("CZ");
    assertThat(client.query("select count(*) from l")).isEqualTo("2");
  }

  @Test
  void cancelOfTheWaitIsAWarning() throws Exception {
    WireClient.cancel(proxy.port(), client.key());
    List<WireClient.Message> answer = client.untilReady();
    assertThat(WireClient.types(answer)).isEqualTo("NCZ");
    assertThat(answer.get(0).field('S')).isEqualTo("WARNING");
    assertThat(answer.get(0).field('C')).isEqualTo("01000");
    assertThat(answer.get(0).field('M')).contains("committed, but shard s0 does not show it");
    allowConnections(true);
    Await.until("recovery has committed", () -> client.query("select count(*) from l").equals("2"));
  }

  @Test
  void clientThatLeavesIsNotWaitedFor() throws Exception {
    client.close();
    allowConnections(true);
    try (WireClient other = proxy.login()) {
      Await.until(
          "recovery has committed", () -> other.query("select count(*) from l").equals("2"));
    }
  }
}
