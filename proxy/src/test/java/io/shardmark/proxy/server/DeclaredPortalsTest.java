package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A cursor that SQL has declared is a portal of that name: psycopg's server-side cursors describe
 * it. Every answer is the one that PostgreSQL itself gives.
 */
final class DeclaredPortalsTest {
  private static RunningProxy one;
  private static RunningProxy two;
  private static String plain;

  @BeforeAll
  static void start() throws SQLException {
    one = RunningProxy.start(1, "pool_size: 2");
    two = RunningProxy.start(2, "pool_size: 2");
    two.onShards("create table k(id int primary key) partition by hash (id)");
    two.onShards(
        "create table k_$shard partition of k for values with (modulus 2, remainder $shard)");
    two.refresh();
    plain = RunningProxy.newPlainDatabase();
  }

  @AfterAll
  static void stop() {
    two.close();
    one.close();
  }

  private static final String QUERY = "select g from generate_series(1, 5) g";

  private static void statement(ByteBuf out, String sql) {
    FrontendMessages.parse(out, "", sql);
    FrontendMessages.bind(out, "", "");
    FrontendMessages.execute(out, "", 0);
  }

  private static final List<Consumer<ByteBuf>> DIALOGUE =
      List.of(
          out -> FrontendMessages.describe(out, NameKind.PORTAL, "c"),
          out -> FrontendMessages.query(out, "begin"),
          out -> statement(out, "declare c cursor for " + QUERY),
          out -> FrontendMessages.describe(out, NameKind.PORTAL, "c"),
          out -> FrontendMessages.execute(out, "c", 2),
          out -> FrontendMessages.query(out, "fetch 1 from c"),
          out -> FrontendMessages.close(out, NameKind.PORTAL, "c"),
          out -> FrontendMessages.query(out, "savepoint s"),
          out -> FrontendMessages.execute(out, "c", 0),
          out -> FrontendMessages.query(out, "rollback to s"),
          out -> statement(out, "declare c cursor for " + QUERY),
          out -> FrontendMessages.execute(out, "c", 0),
          out -> FrontendMessages.query(out, "commit"),
          out -> FrontendMessages.execute(out, "c", 0),
          out -> FrontendMessages.close(out, NameKind.PORTAL, "c"),
          out -> {
            statement(out, "declare c cursor for " + QUERY);
            FrontendMessages.describe(out, NameKind.PORTAL, "c");
            FrontendMessages.execute(out, "c", 0);
          },
          out -> FrontendMessages.query(out, "declare h cursor with hold for " + QUERY),
          out -> FrontendMessages.describe(out, NameKind.PORTAL, "h"),
          out -> FrontendMessages.execute(out, "h", 3),
          out -> FrontendMessages.query(out, "close h"));

  private static List<String> answers(WireClient client) throws IOException {
    List<String> answers = new ArrayList<>();
    for (Consumer<ByteBuf> part : DIALOGUE) {
      client.send(
          out -> {
            part.accept(out);
            if (out.getByte(0) != 'Q') {
              FrontendMessages.sync(out);
            }
          });
      List<WireClient.Message> got = client.untilReady();
      answers.add(WireClient.types(got) + WireClient.errors(got));
    }
    return answers;
  }

  private static List<String> answersOfPostgres() throws IOException {
    try (WireClient client = WireClient.loginToServer(RunningProxy.serverPort(), plain)) {
      return answers(client);
    }
  }

  @Test
  void overOneShard() throws IOException {
    try (WireClient client = one.login()) {
      assertThat(answers(client)).isEqualTo(answersOfPostgres());
    }
  }

  @Test
  void onOneOfSeveralShards() throws IOException {
    try (WireClient client = two.login()) {
      client.query("set shardmark.shard = 's1'");
      assertThat(answers(client)).isEqualTo(answersOfPostgres());
    }
  }

  @Test
  void overSeveralShardsOneIsDescribedAndClosedButNotExecuted() throws IOException {
    try (WireClient client = two.login()) {
      client.query("insert into k select g from generate_series(1, 9) g");
      client.query("begin");
      client.query("declare c cursor for select id from k order by id");
      client.send(
          out -> {
            FrontendMessages.describe(out, NameKind.PORTAL, "c");
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.types(client.untilReady())).isEqualTo("TZ");
      client.query("savepoint s");
      client.send(
          out -> {
            FrontendMessages.execute(out, "c", 0);
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.errors(client.untilReady())).containsExactly("0A000");
      client.query("rollback to s");
      client.send(
          out -> {
            FrontendMessages.close(out, NameKind.PORTAL, "c");
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.types(client.untilReady())).isEqualTo("3Z");
      assertThat(client.query("fetch 1 from c")).isEqualTo("34000");
    }
  }
}
