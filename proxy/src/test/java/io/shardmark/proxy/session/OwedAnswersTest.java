package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import org.junit.jupiter.api.Test;

/**
 * Every Sync and every Query is answered by one ReadyForQuery, whoever refuses it (PG18 §54.2.3
 * protocol-flow-ext-query).
 */
final class OwedAnswersTest {
  private static final String READY = "B ReadyForQuery 6 I";

  @Test
  void aParseThatGetsNoConnectionIsFollowedByReadyForQuery() {
    try (SimulatedCluster cluster = new SimulatedCluster(1, 1)) {
      TestClient other = cluster.login();
      other.send(out -> FrontendMessages.query(out, "begin; select 1"));
      cluster.settle();
      TestClient client = cluster.login();
      client.send(out -> FrontendMessages.parse(out, "s", "select 1"), FrontendMessages::sync);
      cluster.passTime();
      assertThat(client.received()).hasSize(2).last().isEqualTo(READY);
    }
  }

  @Test
  void aQueryThatIsLostWithWhatFollowsItIsAnswered() {
    try (SimulatedCluster cluster = new SimulatedCluster(1, 1)) {
      TestClient client = cluster.login();
      client.send(
          out -> FrontendMessages.query(out, "update r set v = 1"),
          out -> FrontendMessages.parse(out, "s", "select 1"),
          FrontendMessages::flush);
      cluster.servers().forEach(SimulatedServer::answerOne); // the settings of the session
      cluster.servers().forEach(SimulatedServer::lose);
      assertThat(client.received()).hasSize(3).element(1).isEqualTo(READY);
      client.send(FrontendMessages::sync);
      cluster.settle();
      assertThat(client.received()).containsExactly(READY);
    }
  }

  @Test
  void randomConversations() {
    int walks = Integer.getInteger("walks", 1_000);
    long first = Long.getLong("seed", 1);
    String shortest = "";
    for (long seed = first; seed < first + walks; seed++) {
      RandomConversation conversation = new RandomConversation(seed);
      String fault;
      try {
        fault = conversation.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(conversation.story(), e);
      }
      if (fault.isEmpty()) {
        continue;
      }
      String story = fault + "\n" + conversation.story();
      if (shortest.isEmpty() || story.length() < shortest.length()) {
        shortest = story;
      }
    }
    assertThat(shortest).isEmpty();
  }

  @Test
  void aClientThatAnyShardCouldServeIsRefusedWhenAllPoolsAreBusy() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      TestClient other = cluster.login();
      other.send(out -> FrontendMessages.query(out, "begin; update r set v = 1 where k = 1"));
      cluster.settle();
      TestClient client = cluster.login();
      client.send(out -> FrontendMessages.query(out, "select 1"));
      cluster.passTime();
      assertThat(client.received())
          .hasSize(2)
          .first()
          .asString()
          .contains("53300", "became free within pool_wait_timeout");
    }
  }
}
