package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import io.shardmark.proxy.settings.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transactions read from standbys. */
@ExtendWith(LeakCheck.class)
final class StandbyReadsTest {
  private static final String READ = "select v from t where k = 2";

  private SimulatedCluster cluster = SimulatedCluster.replicated(2, "read_from: standby\n");
  private TestClient client = cluster.login();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void with(String keys) {
    cluster.close();
    cluster = SimulatedCluster.replicated(2, keys);
    client = cluster.login();
    cluster.standbysShow(since -> true);
  }

  private List<String> query(String sql) {
    client.send(out -> FrontendMessages.query(out, sql));
    cluster.settle();
    return client.received();
  }

  /** Whether a transaction that begins so reads its first shard from a standby. */
  private boolean readsStandby(String begin) {
    return readsStandby(begin, READ);
  }

  private boolean readsStandby(String begin, String sql) {
    cluster.asked(0);
    cluster.asked(cluster.standbyOf(0));
    query(begin);
    query(sql);
    query("commit");
    boolean standby = cluster.asked(cluster.standbyOf(0)).contains(sql);
    assertThat(cluster.asked(0).contains(sql)).isEqualTo(!standby);
    return standby;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin read only",
        "begin transaction isolation level read committed, read only",
        "begin; set transaction read only"
      })
  void aTransactionThatOnlyReadsGoesToAStandby(String begin) {
    cluster.standbysShow(since -> true);
    assertThat(readsStandby(begin)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin",
        "begin read only; set transaction read write",
        "begin isolation level repeatable read, read only",
        "begin isolation level serializable, read only"
      })
  void othersGoToThePrimary(String begin) {
    cluster.standbysShow(since -> true);
    assertThat(readsStandby(begin)).isFalse();
  }

  @Test
  void theSessionsDefaultCounts() {
    Settings readOnly = Settings.of(Map.of("default_transaction_read_only", "on"));
    Transaction transaction = new Transaction();
    transaction.begin(Transaction.EndMode.EXPLICIT, List.of());
    assertThat(transaction.mayReadElsewhere(readOnly)).isTrue();
    assertThat(transaction.mayReadElsewhere(Settings.NONE)).isFalse();
    transaction.begin(Transaction.EndMode.EXPLICIT, List.of(TransactionMode.READ_WRITE));
    assertThat(transaction.mayReadElsewhere(readOnly)).isFalse();
  }

  @Test
  void aStatementOutsideOfATransactionGoesToThePrimary() {
    cluster.standbysShow(since -> true);
    query("set default_transaction_read_only = on");
    query(READ);
    assertThat(cluster.asked(cluster.standbyOf(0))).isEmpty();
  }

  @Test
  void aStandbyThatIsTooFarBackIsNotRead() {
    assertThat(readsStandby("begin read only")).isFalse();
  }

  @Test
  void whatTheClientHasWrittenIsRead() {
    long begun = System.nanoTime();
    cluster.standbysShow(since -> since - begun < 0);
    assertThat(readsStandby("begin read only")).as("it has written nothing").isTrue();
    query("insert into t values (2, 1)");
    assertThat(readsStandby("begin read only")).isFalse();
    long now = System.nanoTime();
    cluster.standbysShow(since -> since - now < 0);
    assertThat(readsStandby("begin read only")).as("the standby has it").isTrue();
    query("begin");
    query("update t set v = 2");
    query("commit");
    assertThat(readsStandby("begin read only")).as("written on several shards").isFalse();
  }

  @Test
  void aConnectionToAFormerStandbyIsNotTakenForOneToThePresent() {
    cluster.standbysShow(since -> true);
    assertThat(readsStandby("begin read only")).isTrue();
    cluster.standbysMove();
    assertThat(readsStandby("begin read only")).as("it is idle").isFalse();
  }

  @Test
  void aStandbyThatIsLeftWhileTheClientWaitsForItIsNotRead() {
    cluster.standbysShow(since -> true);
    query("begin read only");
    client.send(out -> FrontendMessages.query(out, READ));
    cluster.standbysMove();
    cluster.settle();
    assertThat(client.received()).first().asString().contains("RowDescription");
    assertThat(cluster.asked(0)).contains(READ);
    assertThat(cluster.asked(cluster.standbyOf(0))).doesNotContain(READ);
    assertThat(query("commit")).first().asString().contains("COMMIT");
  }

  @Test
  void aTransactionDoesNotGoOnWhereMovedRowsAreNotYet() {
    cluster.standbysShow(since -> true);
    query("begin read only");
    query(READ);
    cluster.changeMap();
    assertThat(query(READ)).as("replayed").first().asString().contains("RowDescription");
    cluster.standbysShow(since -> false);
    assertThat(query(READ)).as("as before").first().asString().contains("RowDescription");
    cluster.changeMap();
    assertThat(query(READ)).first().asString().contains("40001", "where the rows");
    query("rollback");
    assertThat(readsStandby("begin read only")).isFalse();
  }

  @Test
  void primaryAndStandbyAreReadInTurns() {
    with("read_from: any\n");
    List<Boolean> standby =
        List.of(
            readsStandby("begin read only"),
            readsStandby("begin read only"),
            readsStandby("begin read only"));
    assertThat(standby).containsExactly(false, true, false);
  }

  @Test
  void withoutTheKeyThePrimaryIsRead() {
    with("");
    assertThat(readsStandby("begin read only")).isFalse();
  }

  @Test
  void aSessionThatKeepsItsConnectionsReadsThePrimary() {
    with("read_from: standby\npool_mode: session\n");
    assertThat(readsStandby("begin read only")).isFalse();
  }

  @Test
  void severalShardsAreReadAsOfOneTimeFromPrimaries() {
    with("read_from: standby\nscatter_reads: consistent\n");
    query("begin read only");
    query(READ);
    assertThat(query("select count(*) from t")).first().asString().contains("0A000", "standby");
    query("rollback");
    with("read_from: standby\n");
    assertThat(readsStandby("begin read only", "select v from t")).as("fast").isTrue();
  }

  @Test
  void thePrimaryIsReadWhileNoStandbyCanBeReached() {
    cluster.standbysShow(since -> true);
    query("begin read only");
    client.send(out -> FrontendMessages.query(out, READ));
    cluster.failConnect();
    cluster.settle();
    assertThat(client.received()).first().asString().contains("RowDescription");
    assertThat(cluster.asked(0)).contains(READ);
    query("commit");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "declare c cursor with hold for " + READ,
        "select pg_advisory_lock(1)",
        "select pg_advisory_xact_lock(1)",
        "select pg_try_advisory_xact_lock_shared(1)"
      })
  void whatIsLockedOrStaysWithTheSessionIsNotLeftOnAStandby(String sql) {
    cluster.standbysShow(since -> true);
    query("begin read only");
    assertThat(query(sql)).first().asString().contains("0A000", "a standby cannot keep");
    query("rollback");
    assertThat(query("insert into t values (2, 1)")).first().asString().contains("INSERT 0 1");
  }

  @Test
  void aStandbyThatIsLostInvitesToTryAgain() {
    cluster.standbysShow(since -> true);
    query("begin read only");
    query(READ);
    cluster.server(cluster.standbyOf(0)).lose();
    cluster.runTasks();
    assertThat(query(READ)).first().asString().contains("40001");
  }
}
