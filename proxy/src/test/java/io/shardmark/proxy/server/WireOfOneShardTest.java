package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drivers rarely say, to one shard with one server connection that all clients share. */
final class WireOfOneShardTest {
  /** Of a CopyData that is passed on in pieces. */
  private static final int LONG_COPY_DATA = 0x20000;

  @AutoClose private static RunningProxy proxy;

  private WireClient client;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 1", "prepared_statements_per_server: 2");
    proxy.makeOnShards("create table w (id int)");
  }

  @BeforeEach
  void connect() throws IOException {
    client = proxy.login();
  }

  /** The server connection does for the next client what it is asked. */
  @AfterEach
  void theConnectionIsWell() throws IOException {
    client.close();
    try (WireClient next = proxy.login()) {
      assertThat(next.query("select 43")).isEqualTo("43");
    }
  }

  private static void statement(ByteBuf out, String sql) {
    FrontendMessages.parse(out, "", sql);
    FrontendMessages.bind(out, "", "");
    FrontendMessages.execute(out, "", 0);
  }

  private static void copyData(ByteBuf out, String rows) {
    FrontendMessages.copyDataHeader(out, rows.length());
    out.writeCharSequence(rows, StandardCharsets.US_ASCII);
  }

  /** A COPY that the server fails while the client is in the middle of a long CopyData. */
  private void failInTheMiddleOfCopyData() throws IOException {
    client.sendQuery("copy w from stdin");
    client.until('G');
    client.send(
        out -> {
          copyData(out, "no number\n");
          FrontendMessages.copyDataHeader(out, LONG_COPY_DATA);
          out.writeCharSequence("5\n".repeat(10_000), StandardCharsets.US_ASCII);
        });
    assertThat(client.answer()).isEqualTo("22P02");
  }

  @Test
  void theRestOfACopyDataFollowsWhenItsCopyHasFailed() throws IOException {
    failInTheMiddleOfCopyData();
    client.send(
        out -> {
          out.writeCharSequence(
              "5\n".repeat(LONG_COPY_DATA / 2 - 10_000), StandardCharsets.US_ASCII);
          FrontendMessages.copyDone(out);
        });
    assertThat(client.query("select 42")).isEqualTo("42");
  }

  @Test
  void whoLeavesInTheMiddleOfACopyDataLeavesNothingOfIt() throws IOException {
    failInTheMiddleOfCopyData();
  }

  /** The server's end comes while its connection is not read from, and is found all the same. */
  @Test
  void aRowWithoutItsEndEndsTheConnection() throws Exception {
    String from = "from pg_stat_activity where query like '%60000000%' and pid <> pg_backend_pid()";
    try (RunningProxy polling = RunningProxy.start(1, "transport: auto");
        WireClient reader = polling.login()) {
      reader.sendQuery("select repeat('x', 60000000)");
      reader.until('T');
      assertThat(reader.read(new byte[5])).isPositive();
      proxy.onShard(0, "select count(pg_terminate_backend(pid)) " + from);
      Await.until(
          "its server is gone", () -> proxy.onShard(0, "select count(*) " + from).equals("0"));
      byte[] bytes = new byte[1 << 16];
      for (int count = reader.read(bytes); count > 0; count = reader.read(bytes)) {
        String row = new String(bytes, 0, count, StandardCharsets.US_ASCII);
        assertThat(row).doesNotContain("08006");
      }
    }
  }

  @Test
  void aStatementWhoseCloseWasSkippedIsStillThere() throws IOException {
    for (String name : List.of("s1", "s2")) {
      client.send(
          out -> {
            FrontendMessages.parse(out, name, "select '" + name + "'::text");
            FrontendMessages.bind(out, "", name);
            FrontendMessages.execute(out, "", 0);
            FrontendMessages.sync(out);
          });
      assertThat(client.answer()).isEqualTo(name);
    }
    client.send(
        out -> {
          statement(out, "select 1/0");
          FrontendMessages.parse(out, "s3", "select 's3'::text");
          FrontendMessages.bind(out, "", "s3");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    assertThat(client.answer()).isEqualTo("22012");
    for (String name : List.of("s1", "s2", "s1")) {
      client.send(
          out -> {
            FrontendMessages.bind(out, "", name);
            FrontendMessages.execute(out, "", 0);
            FrontendMessages.sync(out);
          });
      assertThat(client.answer()).isEqualTo(name);
    }
  }

  private void prepare(String name, String sql) throws IOException {
    client.send(
        out -> {
          FrontendMessages.parse(out, name, sql);
          FrontendMessages.sync(out);
        });
    client.untilReady();
  }

  private List<WireClient.Message> execute(String name) throws IOException {
    client.send(
        out -> {
          FrontendMessages.bind(out, "", name);
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    return client.untilReady();
  }

  /** The server keeps two statements: it has closed this one when it is executed again. */
  @Test
  void anOldStatementIsRefusedWhileTheColumnsOfItsResultAreOthers() throws Exception {
    client.query("create table c (id int, v text)");
    client.query("insert into c values (1, 'one')");
    prepare("all", "select * from c");
    prepare("one", "select id from c");
    prepare("put", "insert into c values (2, 'two')");
    for (String type : List.of("varchar", "text")) {
      client.query("alter table c alter column v type " + type);
      prepare(type + " a", "select 5");
      prepare(type + " b", "select 6");
      assertThat(WireClient.types(execute(type + " a"))).isEqualTo("2DCZ");
      assertThat(WireClient.types(execute("one"))).isEqualTo("2DCZ");
      assertThat(WireClient.types(execute("put"))).isEqualTo("2CZ");
      client.query("delete from c where id = 2");
      WireClient.Message answer = execute("all").get(0);
      if (type.equals("text")) {
        assertThat(answer.type()).isEqualTo('2');
      } else {
        assertThat(answer.type()).isEqualTo('E');
        assertThat(answer.field('C')).isEqualTo("0A000");
        assertThat(answer.field('R')).isEqualTo("RevalidateCachedQuery");
      }
    }
  }

  /** int4pl(2, 3) */
  static void functionCall(ByteBuf out) {
    out.writeByte('F').writeInt(26).writeInt(177);
    out.writeShort(1).writeShort(0).writeShort(2);
    out.writeInt(1).writeByte('2').writeInt(1).writeByte('3').writeShort(0);
  }

  @Test
  void aFunctionCallIsPassedOn() throws IOException {
    client.send(WireOfOneShardTest::functionCall);
    assertThat(WireClient.types(client.untilReady())).isEqualTo("VZ");
    client.query("begin");
    assertThat(client.query("select 1/0")).isEqualTo("22012");
    client.send(WireOfOneShardTest::functionCall);
    assertThat(client.answer()).isEqualTo("25P02");
  }

  @Test
  void aSessionEndsWithWhatItKeptOnItsServer() throws Exception {
    client.query("select pg_advisory_lock(77)");
    String its = "from pg_locks where locktype = 'advisory' and objid = 77";
    proxy.onShard(0, "select count(pg_terminate_backend(pid)) " + its);
    assertThat(WireClient.errors(client.until('E'))).containsExactly("08006");
    assertThat(client.next()).isEmpty();
  }

  @Test
  void aSyncThatTheServerIgnoresIsNotTheLast() throws Exception {
    client.send(
        out -> {
          statement(out, "copy w from stdin");
          FrontendMessages.sync(out);
        });
    client.until('G');
    client.send(
        out -> {
          copyData(out, "7001\n");
          FrontendMessages.copyDone(out);
          FrontendMessages.flush(out);
        });
    client.until('C');
    client.send(FrontendMessages::sync);
    assertThat(WireClient.types(client.untilReady())).isEqualTo("Z");
    assertThat(proxy.onShard(0, "select count(*) from w where id = 7001")).isEqualTo("1");
  }

  @Test
  void whoPreparesAfterAChangeOfTheTableSeesItsNewColumns() throws Exception {
    client.query("create table d (id int)");
    client.query("insert into d values (1)");
    client.send(
        out -> {
          FrontendMessages.parse(out, "old", "select * from d");
          FrontendMessages.bind(out, "", "old");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    assertThat(client.answer()).isEqualTo("1");
    assertThat(client.query("alter table d add more int")).isEmpty();
    client.send(
        out -> {
          statement(out, "select * from d");
          FrontendMessages.sync(out);
        });
    assertThat(client.answer()).isEqualTo("1");
    // As a server says of a statement that was prepared before.
    client.send(
        out -> {
          FrontendMessages.bind(out, "", "old");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    assertThat(client.answer()).isEqualTo("0A000");
  }
}
