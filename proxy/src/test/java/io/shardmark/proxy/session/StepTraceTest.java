package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What DDL, SET, SHOW, DISCARD and INSERT of several rows send to servers, as traces. */
@ExtendWith(LeakCheck.class)
final class StepTraceTest {
  private static final Pattern QUERY = Pattern.compile("F Query \\d+ \"(.*)\"");

  /** What a connection is given of the client's settings before its first statement. */
  private static final Pattern SETTINGS = Pattern.compile("^(RESET \\\\\"session|SET \\\\\"app).*");

  private SimulatedCluster cluster = new SimulatedCluster(2, 4);
  private TestClient client = cluster.login();
  private final int[] seen = new int[2];

  @AfterEach
  void close() {
    cluster.close();
  }

  private void oneShard() {
    cluster.close();
    cluster = new SimulatedCluster(1, 4);
    client = cluster.login();
  }

  private List<String> query(String sql) {
    client.send(out -> FrontendMessages.query(out, sql));
    cluster.settle();
    return client.received();
  }

  /** The statements that a shard has got since this was asked last; PREPARE without its name. */
  private List<String> sent(int shard) {
    List<String> all =
        cluster.servers(shard).stream()
            .flatMap(server -> server.trace().stream())
            .map(QUERY::matcher)
            .filter(Matcher::matches)
            .map(query -> query.group(1))
            .filter(sql -> !SETTINGS.matcher(sql).matches())
            .map(
                sql ->
                    sql.replaceAll(
                        " '?shardmark:.*|INSERT INTO shardmark.*|LOCK TABLE shardmark.gate.*?;",
                        ""))
            .toList();
    List<String> fresh = all.subList(seen[shard], all.size());
    seen[shard] = all.size();
    return List.copyOf(fresh);
  }

  // ---- ddl

  @Test
  void ddlIsOneTransactionOnAllShards() {
    assertThat(query("create table n (a int)"))
        .containsExactly("B CommandComplete 12 \"CREATE\"", "B ReadyForQuery 6 I");
    assertThat(sent(0))
        .containsExactly("create table n (a int)", "PREPARE TRANSACTION", "COMMIT PREPARED");
    assertThat(sent(1)).containsExactly("create table n (a int)", "");
  }

  @Test
  void ddlOfAClientsTransactionWaitsForItsEnd() {
    query("begin");
    query("create table n (a int)");
    assertThat(sent(0)).containsExactly("create table n (a int)");
    assertThat(query("rollback")).last().isEqualTo("B ReadyForQuery 6 I");
    assertThat(sent(0)).containsExactly("ROLLBACK");
    assertThat(sent(1)).containsExactly("create table n (a int)", "ROLLBACK");
  }

  @ParameterizedTest
  @ValueSource(strings = {"vacuum t", "analyze", "analyze t, r", "cluster", "checkpoint"})
  void maintenanceRunsOutsideOfATransaction(String sql) {
    query(sql);
    assertThat(sent(0)).containsExactly(sql);
    assertThat(sent(1)).containsExactly(sql);
  }

  /** Each table for itself, or one command for all: a server decides it by the message. */
  @ParameterizedTest
  @ValueSource(strings = {"analyze t;", "vacuum t", "truncate t", "reindex table t", "cluster"})
  void whatLeavesTheMapAsItIsIsTheServersOwnWithOneShard(String sql) {
    oneShard();
    query(sql);
    query("begin");
    query(sql);
    query("commit");
    assertThat(sent(0)).containsExactly(sql, sql, "commit");
  }

  @Test
  void ddlWithOneShardIsPassedOn() {
    oneShard();
    assertThat(query("create table n (a int)")).last().isEqualTo("B ReadyForQuery 6 I");
    assertThat(sent(0)).first().isEqualTo("create table n (a int)");
  }

  @Test
  void aPartitionIsMadeOnItsShardAndTriedOnTheOthers() {
    query(
        "create table n partition of t for values with (modulus 2, remainder 0) with (shard = 2)");
    assertThat(sent(0)).first().asString().contains("; rollback to savepoint");
    assertThat(sent(1)).first().asString().startsWith("create table n partition of t");
  }

  /** Two clients that make one table wait for each other on the first shard only. */
  @Test
  void ddlWaitsForTheFirstShard() {
    query("begin");
    query("update r set v = 1");
    sent(0);
    sent(1);
    client.send(out -> FrontendMessages.query(out, "create table n (a int)"));
    cluster.runTasks();
    assertThat(sent(0)).containsExactly("create table n (a int)");
    assertThat(sent(1)).isEmpty();
    cluster.settle();
    assertThat(sent(1)).containsExactly("create table n (a int)");
    client.send(
        out ->
            FrontendMessages.query(
                out, "create table t_1 partition of t for values with (modulus 2, remainder 1)"));
    cluster.runTasks();
    assertThat(sent(0)).hasSize(1);
    assertThat(sent(1)).isEmpty();
  }

  @Test
  void ddlFailsWithTheShardThatFails() {
    query("begin");
    query("create table n (a int)");
    cluster.servers(1).forEach(SimulatedServer::lose);
    assertThat(query("create table m (a int)")).first().asString().contains("C \"08006\"");
    assertThat(query("commit")).last().isEqualTo("B ReadyForQuery 6 I");
    assertThat(sent(0)).doesNotContain("PREPARE TRANSACTION", "COMMIT");
  }

  // ---- local

  @Test
  void aSettingIsTriedOnOneShard() {
    assertThat(query("set work_mem = '1MB'")).first().isEqualTo("B CommandComplete 9 \"SET\"");
    assertThat(sent(0).size() + sent(1).size()).isEqualTo(1);
  }

  @Test
  void whatIsSetIsGivenToTheNextConnection() {
    query("set work_mem = '1MB'");
    query("update t set v = 1");
    for (int shard = 0; shard < 2; shard++) {
      assertThat(cluster.servers(shard).stream().flatMap(server -> server.trace().stream()))
          .as("shard " + shard)
          .anyMatch(line -> line.contains("work_mem"));
    }
  }

  @Test
  void discardAllIsAnsweredByTheProxy() {
    assertThat(query("discard all"))
        .containsExactly("B CommandComplete 17 \"DISCARD ALL\"", "B ReadyForQuery 6 I");
    assertThat(sent(0)).isEmpty();
    assertThat(sent(1)).isEmpty();
    query("begin");
    assertThat(query("discard all")).first().asString().contains("C \"25001\"");
  }

  @Test
  void theProxysOwnTablesAreShownWithoutAServer() {
    assertThat(query("show shard map"))
        .containsExactly(
            "B RowDescription 7 0", "B CommandComplete 10 \"SHOW\"", "B ReadyForQuery 6 I");
    assertThat(sent(0)).isEmpty();
  }

  @Test
  void aRouteByHandIsCheckedByTheProxy() {
    assertThat(query("set shardmark.shard = 'nowhere'"))
        .first()
        .asString()
        .contains("22023", "there is no shard");
    query("set shardmark.shard = 's1'");
    query("select * from t");
    assertThat(sent(0)).isEmpty();
    assertThat(sent(1)).containsExactly("select * from t");
  }

  // ---- insert

  @Test
  void rowsOfOneShardGoThereInOneStatement() {
    query("insert into t values (2, 1), (4, 2)");
    assertThat(sent(0)).containsExactly("insert into t values (2, 1), (4, 2)");
    assertThat(sent(1)).isEmpty();
  }

  @Test
  void rowsAreCutByShardAndCommittedTogether() {
    query("insert into t (k, v) values (1, 1), (2, 2), (3, 3)");
    List<String> first = sent(0);
    List<String> second = sent(1);
    assertThat(first).last().isEqualTo("COMMIT PREPARED");
    assertThat(first.get(0)).contains("(2, 2)").doesNotContain("(1, 1)", "(3, 3)");
    assertThat(second.get(0)).contains("(1, 1)", "(3, 3)").doesNotContain("(2, 2)");
  }

  @Test
  void rowsInATransactionStayInIt() {
    query("begin");
    assertThat(query("insert into t values (1, 1), (2, 2)"))
        .last()
        .isEqualTo("B ReadyForQuery 6 T");
    assertThat(sent(0)).hasSize(1);
    assertThat(sent(1)).hasSize(1);
    query("rollback");
    assertThat(sent(0)).containsExactly("ROLLBACK");
  }

  @Test
  void aReferenceTableTakesTheRowsEverywhere() {
    query("insert into r values (1, 1), (2, 2)");
    assertThat(sent(0)).first().isEqualTo("insert into r values (1, 1), (2, 2)");
    assertThat(sent(1)).first().isEqualTo("insert into r values (1, 1), (2, 2)");
  }

  /** Two clients that write a row or a table of all shards queue on the first, without deadlock. */
  @Test
  void aReferenceTableIsWrittenOnTheFirstShardFirst() {
    query("begin");
    query("insert into r values (1, 1)");
    sent(0);
    sent(1);
    client.send(out -> FrontendMessages.query(out, "insert into r values (2, 2)"));
    cluster.runTasks();
    assertThat(sent(0)).containsExactly("insert into r values (2, 2)");
    assertThat(sent(1)).isEmpty();
    cluster.settle();
    assertThat(sent(1)).containsExactly("insert into r values (2, 2)");
    assertThat(client.received()).contains("B CommandComplete 16 \"INSERT 0 1\"");
  }

  @Test
  void rowsFailWithTheShardThatIsLost() {
    query("begin");
    query("insert into t values (1, 1), (2, 2)");
    cluster.servers(1).forEach(SimulatedServer::lose);
    assertThat(query("insert into t values (3, 1), (4, 2)"))
        .first()
        .asString()
        .contains("C \"08006\"");
  }
}
