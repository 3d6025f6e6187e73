package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a client learns of a server that is lost: whether it can try again. */
@ExtendWith(LeakCheck.class)
final class LostServerTest {
  private static final String TRY_AGAIN = "40001";
  private static final String LOST = "08006";
  private static final String UNKNOWN = "08007";

  private SimulatedCluster cluster = SimulatedCluster.replicated(2, "");
  private TestClient client = cluster.login();

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> query(String sql) {
    send(sql);
    cluster.settle();
    return client.received();
  }

  private void send(String sql) {
    client.send(out -> FrontendMessages.query(out, sql));
  }

  private void sendExtended(String sql) {
    List<Consumer<ByteBuf>> messages =
        List.of(
            out -> FrontendMessages.parse(out, "", sql),
            out -> FrontendMessages.bind(out, "", ""),
            out -> FrontendMessages.execute(out, "", 0),
            FrontendMessages::sync);
    messages.forEach(client::send);
  }

  /** The server has the client's settings; what it is asked for then it has not answered. */
  private void givenSettings() {
    cluster.server(0).answerOne();
    cluster.runTasks();
  }

  /** What the client gets once the servers of the first shard, which has been asked, are lost. */
  private String lost() {
    cluster.servers(0).forEach(SimulatedServer::lose);
    return error();
  }

  private String terminated() {
    cluster.servers(0).stream().filter(SimulatedServer::isOpen).forEach(SimulatedServer::terminate);
    return error();
  }

  private String error() {
    cluster.runTasks();
    List<String> got = client.received();
    assertThat(got).last().asString().startsWith("B ReadyForQuery");
    return got.get(got.size() - 2).replaceAll(".* C \"(.{5})\".*", "$1");
  }

  @Test
  void anOpenTransactionCanBeTriedAgain() {
    query("begin");
    query("insert into t values (2, 1)");
    lost0();
    assertThat(query("select 1")).first().asString().contains(TRY_AGAIN, "try the transaction");
    assertThat(query("select 1")).first().asString().contains("25P02");
    assertThat(query("rollback")).last().isEqualTo("B ReadyForQuery 6 I");
    assertThat(query("insert into t values (2, 1)")).first().asString().contains("INSERT 0 1");
  }

  private void lost0() {
    cluster.servers(0).forEach(SimulatedServer::lose);
    cluster.runTasks();
  }

  @Test
  void aStatementInATransactionFailsWithIt() {
    query("begin");
    query("insert into t values (2, 1)");
    send("update t set v = 2 where k = 2");
    assertThat(lost()).isEqualTo(TRY_AGAIN);
  }

  @Test
  void aChangeOnSeveralShardsFailsWithTheTransaction() {
    query("begin");
    query("insert into t values (1, 1), (2, 2)");
    send("insert into t values (3, 1), (4, 2)");
    lost0();
    cluster.settle();
    assertThat(client.received()).first().asString().contains(TRY_AGAIN);
  }

  @Test
  void aReadOutsideOfATransactionCanBeTriedAgain() {
    query("select v from t where k = 2");
    send("select v from t where k = 2");
    givenSettings();
    assertThat(lost()).isEqualTo(TRY_AGAIN);
  }

  @Test
  void aChangeOutsideOfATransactionMayHaveTakenEffect() {
    query("select v from t where k = 2");
    send("update t set v = 2 where k = 2");
    givenSettings();
    assertThat(lost()).isEqualTo(LOST);
    query("select v from t where k = 2");
    sendExtended("update t set v = 2 where k = 2");
    givenSettings();
    assertThat(terminated()).as("its commit follows its answer").isEqualTo(LOST);
  }

  @Test
  void aCommitsOutcomeIsUnknownUnlessItsServerEndedBefore() {
    begun();
    sendExtended("commit");
    assertThat(lost()).isEqualTo(UNKNOWN);

    begun();
    sendExtended("commit");
    assertThat(terminated()).isEqualTo(TRY_AGAIN);

    begun();
    sendExtended("commit");
    for (int message = 0; message < 3; message++) {
      cluster.server(0).answerOne();
    }
    assertThat(terminated()).as("its answer had come").isEqualTo(UNKNOWN);

    begun();
    send("commit");
    assertThat(terminated()).as("a Query's answer may have begun").isEqualTo(UNKNOWN);
  }

  private void begun() {
    query("begin");
    assertThat(query("insert into t values (2, 1)")).first().asString().contains("INSERT 0 1");
  }

  @Test
  void aCommitOverShardsThatIsNotDecidedCanBeTriedAgain() {
    query("begin");
    query("insert into t values (1, 1), (2, 2)");
    send("commit");
    List<SimulatedServer> preparing =
        cluster.servers().stream().filter(SimulatedServer::isAsked).toList();
    preparing.forEach(SimulatedServer::lose);
    cluster.settle();
    assertThat(preparing).hasSize(1);
    assertThat(client.received()).first().asString().contains(TRY_AGAIN, "lost before the commit");
  }

  @Test
  void aShardWithoutStandbysInvitesNobodyToTryAgain() {
    cluster.close();
    cluster = new SimulatedCluster(2, 4);
    client = cluster.login();
    begun();
    send("update t set v = 2 where k = 2");
    assertThat(lost()).isEqualTo(LOST);
  }
}
