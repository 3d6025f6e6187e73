package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that name what another client has committed since the catalogs were read. */
@ExtendWith(LeakCheck.class)
final class NewerCatalogsTest {
  private final SimulatedCluster cluster = new SimulatedCluster(2, 4);
  private final TestClient client = cluster.login();

  @AfterEach
  void close() {
    cluster.close();
  }

  private String query(String sql) {
    client.send(out -> FrontendMessages.query(out, sql));
    cluster.settle();
    return client.answers();
  }

  private String asked() {
    return cluster.asked(0) + " | " + cluster.asked(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into n values (1, 2)",
        "update n set v = 1",
        "delete from n",
        "insert into n select k, v from r",
        "insert into t select k, v from n where k = 1",
        "select 1; insert into n values (1, 2)"
      })
  void aTableIsKnownAfterOneReading(String sql) {
    cluster.commit("n", OptionalInt.empty());
    assertThat(query(sql)).doesNotContain("ErrorResponse").endsWith("ReadyForQuery:I");
    assertThat(cluster.catalogReads()).isEqualTo(1);
    assertThat(query(sql)).doesNotContain("ErrorResponse");
    assertThat(cluster.catalogReads()).isEqualTo(1);
  }

  @Test
  void aTableIsReadOnItsShard() {
    cluster.commit("n", OptionalInt.of(1));
    asked();
    query("select * from n");
    assertThat(asked()).isEqualTo(" | Query:select * from n");
  }

  @Test
  void aTransactionGoesOn() {
    query("begin");
    query("update r set v = 1");
    cluster.commit("n", OptionalInt.empty());
    assertThat(query("update n set v = 1")).endsWith("ReadyForQuery:T");
    assertThat(query("commit")).isEqualTo("CommandComplete:COMMIT ReadyForQuery:I");
  }

  @Test
  void aTransactionThatHasMadeTablesGoesOn() {
    query("begin");
    query("create table own (k int)");
    cluster.commit("n", OptionalInt.empty());
    assertThat(query("update n set v = 1")).endsWith("ReadyForQuery:T");
  }

  @Test
  void ddlGoesToTheShardOfTheTable() {
    cluster.commit("n", OptionalInt.of(1));
    asked();
    query("drop table n");
    assertThat(asked()).startsWith(" | ").contains("Query:drop table n");
  }

  @Test
  void aTableIsReadWhenItIsPrepared() {
    cluster.commit("n", OptionalInt.of(1));
    asked();
    client.send(
        out -> FrontendMessages.parse(out, "s", "select * from n"),
        out -> FrontendMessages.describe(out, NameKind.STATEMENT, "s"),
        FrontendMessages::sync);
    cluster.settle();
    assertThat(client.answers()).startsWith("ParseComplete ParameterDescription");
    assertThat(asked()).startsWith(" | Parse:");
    assertThat(cluster.catalogReads()).isEqualTo(1);
  }

  @Test
  void whatHasBeenPreparedIsPlannedAgainWhenItIsBound() {
    client.send(
        out -> FrontendMessages.parse(out, "s", "update n set v = 1"), FrontendMessages::sync);
    cluster.settle();
    assertThat(client.answers()).isEqualTo("ParseComplete ReadyForQuery:I");
    cluster.commit("n", OptionalInt.empty());
    client.send(
        out -> FrontendMessages.bind(out, "", "s"),
        out -> FrontendMessages.execute(out, "", 0),
        FrontendMessages::sync);
    cluster.settle();
    assertThat(client.answers()).startsWith("BindComplete CommandComplete").endsWith("I");
  }

  @Test
  void whatIsNotThereIsLookedUpOnceForAPipeline() {
    client.send(
        out -> FrontendMessages.parse(out, "", "update n set v = 1"),
        out -> FrontendMessages.bind(out, "", ""),
        out -> FrontendMessages.execute(out, "", 0),
        FrontendMessages::sync);
    cluster.settle();
    assertThat(client.answers()).contains("ErrorResponse:0A000").endsWith("ReadyForQuery:I");
    assertThat(cluster.catalogReads()).isEqualTo(1);
    assertThat(query("update n set v = 1")).isEqualTo("ErrorResponse:0A000 ReadyForQuery:I");
    assertThat(cluster.catalogReads()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "merge into t using r on t.k = r.k when matched then delete",
        "select * from t limit 1 for update",
        "select * from pg_class, t",
        "with n as (select 1) select * from n",
        "create table n (k int)"
      })
  void nothingIsReadForWhatIsRefusedForAnotherReason(String sql) {
    query("begin");
    query(sql);
    assertThat(cluster.catalogReads()).isZero();
  }
}
