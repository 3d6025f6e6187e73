package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same bytes to a server itself and to the proxy over two shards: the same answers. */
final class ErrorsOfPostgresTest {
  @AutoClose private static RunningProxy proxy;
  private static String plain = "";

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2);
    proxy.makeOnShards(
        "create table t (id int primary key, v text) partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard)");
    plain = RunningProxy.newPlainDatabase();
    try (WireClient server = WireClient.loginToServer(RunningProxy.serverPort(), plain)) {
      server.query("create table t (id int primary key, v text)");
      server.query("create sequence s");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create sequence s");
    }
  }

  /**
   * The answers to each of these, up to ReadyForQuery: types, rows, and errors with their texts.
   */
  private static List<String> answers(WireClient client, List<Consumer<ByteBuf>> sent)
      throws IOException {
    List<String> answers = new ArrayList<>();
    for (Consumer<ByteBuf> each : sent) {
      client.send(each);
      for (WireClient.Message message : client.untilReady()) {
        answers.add(
            switch (message.type()) {
              case 'E' ->
                  "E %s %s %s %s"
                      .formatted(
                          message.field('S'),
                          message.field('C'),
                          message.field('M'),
                          message.field('D'));
              case 'D' -> "D " + message.firstColumn();
              case 'C' -> "C " + new String(message.content().toArray(), StandardCharsets.UTF_8);
              default -> String.valueOf(message.type());
            });
      }
    }
    return answers;
  }

  private static List<String> assertSame(List<Consumer<ByteBuf>> sent) throws IOException {
    try (WireClient server = WireClient.loginToServer(RunningProxy.serverPort(), plain);
        WireClient client = proxy.login()) {
      List<String> expected = answers(server, sent);
      assertThat(answers(client, sent)).isEqualTo(expected);
      return expected;
    }
  }

  private static List<String> assertSameQueries(String... queries) throws IOException {
    List<Consumer<ByteBuf>> sent = new ArrayList<>();
    for (String query : queries) {
      sent.add(out -> FrontendMessages.query(out, query));
    }
    return assertSame(sent);
  }

  @Test
  void setvalOfNull() throws IOException {
    assertThat(
            assertSameQueries(
                "select setval('s', null)",
                "select setval('s', 7)",
                "select setval('s', (select max(id) from t))",
                "select setval('nosuch', null)"))
        .contains("D null", "D 7")
        .anyMatch(answer -> answer.startsWith("E ERROR 42P01"));
  }

  private static Consumer<ByteBuf> message(char type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return out -> out.writeByte(type).writeInt(bytes.length + 4).writeBytes(bytes);
  }

  /** A broken message between a statement and the Sync; then whether all goes on. */
  private static List<String> assertSameIn(String statement, Consumer<ByteBuf> broken)
      throws IOException {
    Consumer<ByteBuf> pipeline =
        out -> {
          FrontendMessages.parse(out, "", statement);
          FrontendMessages.bind(out, "", "");
          broken.accept(out);
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        };
    return assertSame(List.of(pipeline, out -> FrontendMessages.query(out, "select 7")));
  }

  @Test
  void describeAndCloseOfAWrongKindOrLength() throws IOException {
    for (String statement : List.of("select 1", "select count(*) from t", "begin")) {
      assertThat(assertSameIn(statement, message('D', "X\0")))
          .contains("E ERROR 08P01 invalid DESCRIBE message subtype 88 ")
          .contains("D 7");
      assertThat(assertSameIn(statement, message('C', "Q\0")))
          .contains("E ERROR 08P01 invalid CLOSE message subtype 81 ");
      for (String body : List.of("S\0x", "P\0\0", "Sname\0trailing")) {
        for (char type : new char[] {'D', 'C'}) {
          assertThat(assertSameIn(statement, message(type, body)))
              .contains("E ERROR 08P01 invalid message format ");
        }
      }
      assertThat(assertSameIn(statement, message('E', "\0\0\0\0\0x")))
          .contains("E ERROR 08P01 invalid message format ");
    }
  }
}
