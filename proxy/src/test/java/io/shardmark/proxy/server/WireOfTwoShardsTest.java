package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessage;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drivers rarely say, in transactions that reach two shards. */
final class WireOfTwoShardsTest {
  private static final String HERE = " from l where id = 1";
  private static final String THERE = " from l where id = 2";

  @AutoClose private static RunningProxy proxy;

  private WireClient client;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 2");
    proxy.makeOnShards(
        "create table l (id int, v text) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1, $shard + 11);"
            + "create table everywhere (id int)");
  }

  @BeforeEach
  void connect() throws Exception {
    proxy.onShards("truncate l; insert into l values ($shard + 1, 'old')");
    client = proxy.login();
    client.query("set timezone = 'UTC'");
  }

  @AfterEach
  void leave() throws IOException {
    client.close();
  }

  @Test
  void aCommitThatWasBoundBeforeTheSecondShardEndsBoth() throws Exception {
    client.query("begin");
    client.query("update l set v = 'new' where id = 1");
    client.send(
        out -> {
          FrontendMessages.parse(out, "c", "commit");
          FrontendMessages.bind(out, "c", "c");
          FrontendMessages.parse(out, "", "update l set v = 'new' where id = 2");
          FrontendMessages.bind(out, "", "");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.execute(out, "c", 0);
          FrontendMessages.sync(out);
        });
    assertThat(WireClient.types(client.untilReady())).isEqualTo("1212CCZ");
    assertThat(proxy.onShard(0, "select v" + HERE)).isEqualTo("new");
    assertThat(proxy.onShard(1, "select v" + THERE)).isEqualTo("new");
  }

  @Test
  void aRefusedFunctionCallNeedsNoSync() throws IOException {
    client.send(WireOfOneShardTest::functionCall);
    assertThat(WireClient.types(client.untilReady())).isEqualTo("EZ");
    assertThat(client.query("select 1")).isEqualTo("1");
  }

  private String execute(String name) throws IOException {
    client.send(
        out -> {
          FrontendMessages.bind(out, "", name);
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    return client.answer();
  }

  @Test
  void refusesAnOldStatementWhoseResultColumnsHaveChanged() throws Exception {
    proxy.makeOnShards(
        "create table wide (id int, v text) partition by list (id);"
            + "create table wide_$shard partition of wide for values in ($shard + 1);"
            + "insert into wide values ($shard + 1, 'old')");
    client.send(
        out -> {
          FrontendMessages.parse(out, "all", "select * from wide order by id");
          FrontendMessages.parse(out, "sum", "select sum(id) from wide");
          FrontendMessages.sync(out);
        });
    client.untilReady();
    assertThat(execute("all")).isEqualTo("2");
    client.query("begin");
    client.query("alter table wide add more int");
    assertThat(execute("sum")).isEqualTo("3");
    assertThat(execute("all")).isEqualTo("0A000");
    client.query("rollback");
    assertThat(execute("all")).isEqualTo("2");
    client.query("alter table wide add more int");
    assertThat(execute("all")).isEqualTo("0A000");
    assertThat(execute("sum")).isEqualTo("3");
  }

  /** What the shards' rows are ordered by stands behind the columns that the client asks for. */
  @Test
  void formatsAreGivenColumnByColumnBesideOneThatIsHidden() throws Exception {
    FrontendMessage bind = new FrontendMessage.Bind("", "", List.of(), List.of(), List.of(1, 0));
    client.send(
        out -> {
          FrontendMessages.parse(out, "", "select id, v from l order by length(v), -id");
          bind.encode(out);
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    List<String> rows =
        client.untilReady().stream()
            .filter(message -> message.type() == 'D')
            .map(message -> HexFormat.of().formatHex(message.content().toArray()))
            .toList();
    String old = "000000036f6c64";
    assertThat(rows).containsExactly("00020000000400000002" + old, "00020000000400000001" + old);
  }

  private String timeZone(String where) throws IOException {
    return client.query("select current_setting('timezone')" + where);
  }

  @Test
  void rollbackToGivesAllShardsTheOlderParameters() throws IOException {
    client.query("begin");
    assertThat(timeZone(HERE)).isEqualTo("UTC");
    client.query("set local work_mem = '7MB'");
    client.query("savepoint x");
    client.query("set timezone = 'Asia/Tokyo'");
    assertThat(timeZone(THERE)).isEqualTo("Asia/Tokyo");
    assertThat(client.query("select 1/0" + THERE)).isEqualTo("22012");
    client.query("rollback to x");
    assertThat(timeZone(HERE)).isEqualTo("UTC");
    assertThat(timeZone(THERE)).isEqualTo("UTC");
    assertThat(client.query("select current_setting('work_mem')" + THERE)).isEqualTo("7MB");
    client.query("commit");
    assertThat(timeZone(THERE)).isEqualTo("UTC");
  }

  @Test
  void setCountsOverAnEarlierSetLocalOnAllShards() throws IOException {
    client.query("begin");
    client.query("set local timezone = 'Asia/Tokyo'");
    client.query("set timezone = 'Asia/Seoul'");
    assertThat(timeZone(HERE)).isEqualTo("Asia/Seoul");
    assertThat(timeZone(THERE)).isEqualTo("Asia/Seoul");
    client.query("rollback");
    assertThat(timeZone(THERE)).isEqualTo("UTC");
  }

  private void changeOn(String where) throws IOException {
    client.query("update l set v = 'new'" + where.replace(" from l", ""));
  }

  @Test
  void theClientHearsOfParametersThatTheEndGivesBack() throws IOException {
    client.query("begin");
    changeOn(HERE);
    client.query("set timezone = 'Asia/Tokyo'");
    changeOn(THERE);
    assertThat(client.parameter("TimeZone")).isEqualTo("Asia/Tokyo");
    client.query("rollback");
    assertThat(client.parameter("TimeZone")).isEqualTo("UTC");
    client.query("begin");
    changeOn(HERE);
    client.query("set local timezone = 'Asia/Tokyo'");
    changeOn(THERE);
    client.query("commit");
    assertThat(client.parameter("TimeZone")).isEqualTo("UTC");
    client.query("begin");
    changeOn(HERE);
    client.query("set timezone = 'Asia/Tokyo'");
    assertThat(client.query("select 1/0" + THERE)).isEqualTo("22012");
    client.query("rollback");
    assertThat(client.parameter("TimeZone")).isEqualTo("UTC");
  }

  private static void query(ByteBuf out, String sql) {
    byte[] text = sql.getBytes(StandardCharsets.ISO_8859_1);
    out.writeByte('Q').writeInt(5 + text.length).writeBytes(text).writeByte(0);
  }

  @Test
  void bytesThatAreNoUtf8AreStoredNowhere() throws IOException {
    client.send(out -> query(out, "insert into l values (1, 'x\u00ffy'), (2, 'x\u00ffy')"));
    assertThat(client.answer()).isEqualTo("22021");
    client.send(out -> query(out, "begin; insert into l values (1, 'x\u00ffy'), (2, 'z'); commit"));
    assertThat(client.answer()).isEqualTo("22021");
    assertThat(client.query("select count(*) from l")).isEqualTo("2");
    // The character that stands for such bytes is one like others.
    client.sendQuery("insert into l values (11, '\uFFFD'), (12, '\uFFFD')");
    assertThat(client.answer()).isEmpty();
    assertThat(client.query("select count(*) from l where v = '\uFFFD'")).isEqualTo("2");
  }

  @Test
  void theModesOfABeginCountInsideATransaction() throws IOException {
    String change = "update l set v = 'new' where id = ";
    assertThat(client.query("select 1; begin read only; " + change + 1)).isEqualTo("25006");
    client.query("rollback");
    client.query("begin");
    client.query("select v" + HERE);
    client.query("begin read only");
    assertThat(client.query(change + 2)).isEqualTo("25006");
    client.query("rollback");
    assertThat(client.query(change + 1)).isEmpty();
  }

  @Test
  void aNotificationDoesNotComeInTheMiddleOfARow() throws Exception {
    client.query("listen news");
    client.query("begin");
    client.sendQuery("select repeat('x', 60000000)" + THERE);
    client.until('T');
    proxy.onShards("select pg_notify('news', n::text) from generate_series(1, 5) n");
    List<WireClient.Message> rest = client.untilReady();
    WireClient.Message row = rest.get(0);
    assertThat(row.type()).isEqualTo('D');
    assertThat(row.firstColumn().chars().filter(c -> c == 'x').count()).isEqualTo(60_000_000);
    client.query("commit");
    assertThat(client.query("select 5")).isEqualTo("5");
  }

  @Test
  void anErrorInAPipelineOverTwoShardsEndsItAtItsSyncOnly() throws IOException {
    int rounds = 20;
    client.send(
        out -> {
          for (int i = 0; i < rounds; i++) {
            pipeline(out, "select v" + HERE);
            pipeline(out, "select v" + HERE, "select 1/0" + THERE, "select v" + HERE);
            pipeline(out, "select v" + HERE, "select v" + THERE);
            pipeline(out, "select ctid from l", "select v" + THERE);
          }
        });
    for (int i = 0; i < rounds; i++) {
      assertThat(types()).isEqualTo("DCZ");
      assertThat(types()).isEqualTo("DCEZ");
      assertThat(types()).isEqualTo("DCDCZ");
      assertThat(types()).isEqualTo("EZ");
    }
  }

  private String types() throws IOException {
    return client.untilReady().stream()
        .map(WireClient.Message::type)
        .filter(type -> type != '1' && type != '2')
        .map(String::valueOf)
        .collect(Collectors.joining());
  }

  private static void pipeline(ByteBuf out, String... statements) {
    for (String sql : statements) {
      FrontendMessages.parse(out, "", sql);
      FrontendMessages.bind(out, "", "");
      FrontendMessages.execute(out, "", 0);
    }
    FrontendMessages.sync(out);
  }
}
