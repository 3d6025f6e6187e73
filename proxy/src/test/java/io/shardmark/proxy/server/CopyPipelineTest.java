package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * COPY whose data are sent without waiting for CopyInResponse, beside PostgreSQL itself: the client
 * gets the same messages in the same order (PG15 §55.2.6 protocol-copy).
 */
final class CopyPipelineTest {
  private static RunningProxy one;
  private static RunningProxy several;
  private static String plain;

  @BeforeAll
  static void start() throws SQLException, IOException {
    one = RunningProxy.start(1, "pool_size: 1");
    several = RunningProxy.start(2, "pool_size: 1");
    plain = RunningProxy.newPlainDatabase();
    String tables = "create table made(id int primary key); create table other(id int)";
    one.makeOnShards(tables);
    several.onShards(tables); // which it does not know: the shard is given by hand
    try (WireClient client = WireClient.loginToServer(RunningProxy.serverPort(), plain)) {
      client.query(tables);
    }
  }

  @AfterAll
  static void stop() {
    several.close();
    one.close();
  }

  /** What a client sends at once, by what it is. */
  static Stream<String> names() {
    return CASES.keySet().stream();
  }

  private static final String BAD = "no number\n";

  private static final Map<String, Consumer<ByteBuf>> CASES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("a copy", out -> copy(query(out, "copy other from stdin"), "1\n2\n")),
              Map.entry(
                  "a failed one",
                  out -> {
                    query(out, "copy other from stdin");
                    FrontendMessages.copyFail(data(out, "1\n"), "no more");
                    query(out, "select count(*) from other");
                  }),
              Map.entry(
                  "of a table that is not there",
                  out ->
                      query(copy(query(out, "copy missing from stdin"), "1\n"), "select 'after'")),
              Map.entry(
                  "with a wrong row",
                  out -> {
                    query(out, "copy other from stdin");
                    copy(data(data(out, "1\n"), BAD), "2\n");
                    query(out, "select 'after'");
                  }),
              Map.entry(
                  "with long messages",
                  out -> {
                    query(out, "copy other from stdin");
                    copy(data(out, "1\n".repeat(100_000)), BAD + "2\n".repeat(100_000));
                    copy(query(out, "copy other from stdin"), "1\n".repeat(100_000));
                  }),
              Map.entry(
                  "one behind the other",
                  out -> {
                    copy(query(out, "copy other from stdin"), "3\n");
                    copy(query(out, "copy other from stdin"), BAD);
                    copy(query(out, "copy other from stdin"), "4\n");
                    query(out, "select count(*) from other");
                  }),
              Map.entry(
                  "behind a query that fails",
                  out -> {
                    query(out, "select 1/0");
                    copy(query(out, "copy other from stdin"), "5\n");
                  }),
              Map.entry(
                  "two in one query",
                  out -> {
                    query(out, "copy other from stdin; copy other from stdin; select 1");
                    copy(copy(out, "6\n"), "7\n");
                  }),
              Map.entry(
                  "two in one query, the first fails",
                  out -> {
                    query(out, "copy other from stdin; copy other from stdin");
                    copy(copy(out, BAD), "7\n");
                    query(out, "select count(*) from other");
                  }),
              Map.entry(
                  "in a transaction that has made the table",
                  out -> {
                    query(query(out, "begin"), "create table cz(a int)");
                    copy(query(out, "copy cz from stdin"), "1\n2\n");
                    query(query(out, "select count(*) from cz"), "rollback");
                  }),
              Map.entry(
                  "in the query that has made the table",
                  out ->
                      copy(query(out, "create temp table ct(a int); copy ct from stdin"), "1\n")),
              Map.entry(
                  "with messages that a copy ignores",
                  out -> {
                    query(out, "copy other from stdin");
                    FrontendMessages.sync(out);
                    copy(out, "8\n");
                  }),
              Map.entry(
                  "extended",
                  out ->
                      FrontendMessages.sync(copy(extended(out, "copy other from stdin"), "9\n"))),
              Map.entry(
                  "extended with two Syncs",
                  out -> {
                    FrontendMessages.sync(extended(out, "copy other from stdin"));
                    FrontendMessages.sync(copy(out, "10\n"));
                  }),
              Map.entry(
                  "extended, failed by the client",
                  out -> {
                    extended(out, "copy other from stdin");
                    FrontendMessages.copyFail(data(out, "1\n"), "no more");
                    extended(out, "select 'skipped'");
                    FrontendMessages.sync(out);
                  }),
              Map.entry(
                  "extended, with a wrong row",
                  out -> {
                    copy(data(extended(out, "copy other from stdin"), BAD), "2\n");
                    extended(out, "select 'skipped'");
                    FrontendMessages.sync(out);
                  }),
              Map.entry(
                  "extended, of a table that is not there",
                  out -> {
                    FrontendMessages.sync(extended(out, "copy missing from stdin"));
                    FrontendMessages.sync(copy(out, "10\n"));
                  }),
              Map.entry(
                  "extended, behind what fails",
                  out -> {
                    extended(out, "select 1/0");
                    copy(extended(out, "copy other from stdin"), "11\n");
                    FrontendMessages.sync(out);
                  }),
              Map.entry(
                  "extended, among others",
                  out -> {
                    extended(out, "select 'before'");
                    copy(extended(out, "copy other from stdin"), "12\n");
                    extended(out, "select count(*) from other where id = 12");
                    FrontendMessages.sync(out);
                  }),
              Map.entry(
                  "of a temporary table",
                  out -> {
                    query(out, "create temp table tt(a int)");
                    FrontendMessages.sync(copy(extended(out, "copy tt from stdin"), "1\n2\n"));
                    extended(out, "copy tt to stdout");
                    FrontendMessages.sync(extended(out, "select count(*) from tt"));
                  }),
              Map.entry(
                  "to the client",
                  out -> {
                    extended(out, "copy (select 'x' where false) to stdout");
                    FrontendMessages.sync(extended(out, "copy (values (1), (2)) to stdout"));
                  })));

  private static ByteBuf query(ByteBuf out, String sql) {
    FrontendMessages.query(out, sql);
    return out;
  }

  private static ByteBuf extended(ByteBuf out, String sql) {
    FrontendMessages.parse(out, "", sql);
    FrontendMessages.bind(out, "", "");
    FrontendMessages.describe(out, NameKind.PORTAL, "");
    FrontendMessages.execute(out, "", 0);
    return out;
  }

  private static ByteBuf data(ByteBuf out, String rows) {
    FrontendMessages.copyDataHeader(out, rows.length());
    out.writeCharSequence(rows, StandardCharsets.US_ASCII);
    return out;
  }

  private static ByteBuf copy(ByteBuf out, String rows) {
    FrontendMessages.copyDone(data(out, rows));
    return out;
  }

  /** What the client gets, up to the answer to a last query; each case leaves the tables empty. */
  private static List<String> answers(WireClient client, String name) throws IOException {
    client.query("delete from other");
    client.send(Objects.requireNonNull(CASES.get(name)).andThen(out -> query(out, "select 'end'")));
    List<String> trace = new ArrayList<>();
    while (!trace.contains("D end")) {
      for (WireClient.Message message : client.untilReady()) {
        trace.add(shown(message));
      }
    }
    trace.removeIf(each -> each.equals("S") || each.equals("N"));
    trace.add("rows " + client.query("select count(*) from other"));
    return trace;
  }

  private static String shown(WireClient.Message message) {
    return switch (message.type()) {
      case 'D' -> "D " + message.firstColumn();
      case 'E' -> "E " + message.field('C');
      case 'C', 'd', 'Z' ->
          message.type()
              + " "
              + new String(message.content().toArray(), StandardCharsets.UTF_8).strip();
      default -> String.valueOf(message.type());
    };
  }

  private static List<String> answersOfPostgres(String name) throws IOException {
    try (WireClient client = WireClient.loginToServer(RunningProxy.serverPort(), plain)) {
      return answers(client, name);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void overOneShard(String name) throws IOException {
    try (WireClient client = one.login()) {
      assertThat(answers(client, name)).isEqualTo(answersOfPostgres(name));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void overSeveralOnTheShardGivenByHand(String name) throws IOException {
    try (WireClient client = several.login()) {
      client.query("set shardmark.shard = 's1'");
      assertThat(answers(client, name)).isEqualTo(answersOfPostgres(name));
    }
  }
}
