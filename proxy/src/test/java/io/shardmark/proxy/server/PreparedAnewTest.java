package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Parse means what its text means at that time, whatever other clients have prepared before with
 * the same text: every answer is the one that PostgreSQL itself gives.
 */
final class PreparedAnewTest {
  /**
   * Steps of clients a and b. {@code D}: past the proxy; {@code Q}: a Query; {@code U}: Parse,
   * Bind, Execute unnamed; {@code P name}: Parse; {@code B name}: Bind and Execute, {@code X name}
   * with the parameter x; {@code T name ... }: Parse of two names of one text, then both executed,
   * all at once.
   */
  private static final Map<String, List<String>> CASES = new TreeMap<>();

  static {
    CASES.put(
        "a type made again",
        List.of(
            "D create type e as enum ('x'); create table et(v e); insert into et values ('x')",
            "a P s select count(*) from et where v = $1",
            "a X s",
            "a X s",
            "D drop table et; drop type e; create type e as enum ('x'); create table et(v e)",
            "b P s select count(*) from et where v = $1",
            "b X s",
            "b X s",
            "a P again select count(*) from et where v = $1",
            "a X again",
            "a X again",
            "b X s"));
    CASES.put(
        "a schema for each tenant",
        List.of(
            "D create schema t1; create table t1.x(v int); insert into t1.x values (1)",
            "D create schema t2; create table t2.x(v text); insert into t2.x values ('two')",
            "a Q set search_path = t1",
            "b Q set search_path = t2",
            "a P s select * from x",
            "b P s select * from x",
            "a B s",
            "b B s",
            "a B s",
            "b B s",
            "a U select * from x",
            "b U select * from x",
            "a Q set search_path = t2",
            "a B s",
            "a P again select * from x",
            "a B again",
            "b B s",
            "a B again"));
    CASES.put(
        "a function with another result",
        List.of(
            "D create function f() returns int language sql as 'select 1'",
            "a P s select f()",
            "a B s",
            "a B s",
            "b U select f()",
            "D drop function f(); create function f() returns text language sql as 'select ''t'''",
            "b U select f()",
            "b P s select f()",
            "b B s",
            "b B s",
            "a B s",
            "a P again select f()",
            "a B again",
            "a B again"));
    CASES.put(
        "a temporary table altered",
        List.of(
            "a Q create temp table tt as select 1 as v",
            "a U select * from tt",
            "a P s select * from tt",
            "a B s",
            "a Q alter table tt add more int",
            "a U select * from tt",
            "a B s",
            "a P again select * from tt",
            "a B again",
            "a B again"));
    CASES.put(
        "a temporary table that hides another",
        List.of(
            "D create table h(v int); insert into h values (1)",
            "b P s select v from h",
            "b B s",
            "b B s",
            "a Q create temp table h as select 2 as v",
            "a P s select v from h",
            "a B s",
            "a B s",
            "a U select v from h",
            "a Q drop table h",
            "a U select v from h",
            "b B s"));
    CASES.put(
        "a table that hides another",
        List.of(
            "D create schema front; create table behind(v int); insert into behind values (1)",
            "a Q set search_path = front, public",
            "b Q set search_path = front, public",
            "b P s select v from behind",
            "b B s",
            "b B s",
            "D create table front.behind(v int); insert into front.behind values (2)",
            "a P s select v from behind",
            "a B s",
            "a B s",
            "a U select v from behind"));
    CASES.put(
        "the unnamed statement executed again",
        List.of(
            "a U select 1",
            "b U select 2",
            "a B ",
            "b B ",
            "a B ",
            "a P  select 3",
            "b U select 4",
            "a B ",
            "a B "));
    CASES.put(
        "several prepared before they are executed",
        List.of("a T select 1", "b T select 1", "a T select nothing", "b T select nothing"));
    CASES.put(
        "prepared in a transaction that changes the table",
        List.of(
            "D create table c(v int); insert into c values (1)",
            "b P s select * from c",
            "b B s",
            "a P s select * from c",
            "a Q begin",
            "a Q alter table c rename v to w",
            "a Q alter table c add more int",
            "a U select * from c",
            "a P inside select * from c",
            "a B inside",
            "a B inside",
            "a Q rollback",
            "a U select * from c",
            "a B s",
            "b B s",
            "b U select * from c"));
  }

  private static RunningProxy one;
  private static RunningProxy several;

  @BeforeAll
  static void start() {
    one = RunningProxy.start(1, "pool_size: 2");
    several = RunningProxy.start(2, "pool_size: 2");
  }

  @AfterAll
  static void stop() {
    several.close();
    one.close();
  }

  static Stream<String> names() {
    return CASES.keySet().stream();
  }

  @FunctionalInterface
  private interface Login {
    WireClient get() throws IOException;
  }

  /** Each case in a schema of its own would have another search_path, so it cleans up instead. */
  private static final String CLEAN =
      "drop table if exists et, h, behind, c; drop type if exists e;"
          + " drop function if exists f(); drop schema if exists t1, t2, front cascade";

  private static List<String> answers(String name, String url, Login login)
      throws IOException, SQLException {
    List<String> answers = new ArrayList<>();
    Map<String, WireClient> clients = new HashMap<>();
    try (Connection past = RunningProxy.open(url);
        Statement ddl = past.createStatement();
        WireClient a = login.get();
        WireClient b = login.get()) {
      ddl.execute(CLEAN);
      clients.put("a", a);
      clients.put("b", b);
      for (String step : Objects.requireNonNull(CASES.get(name))) {
        if (step.startsWith("D ")) {
          ddl.execute(step.substring(2));
        } else {
          WireClient client = Objects.requireNonNull(clients.get(step.substring(0, 1)));
          answers.add(step + " -> " + answer(client, step.substring(2)));
        }
      }
      ddl.execute(CLEAN);
    }
    return answers;
  }

  private static String answer(WireClient client, String step) throws IOException {
    String rest = step.substring(2);
    String name = rest.contains(" ") ? rest.substring(0, rest.indexOf(' ')) : rest;
    client.send(
        out -> {
          switch (step.charAt(0)) {
            case 'Q' -> FrontendMessages.query(out, rest);
            case 'U' -> {
              FrontendMessages.parse(out, "", rest);
              execute(out, "");
            }
            case 'P' -> FrontendMessages.parse(out, name, rest.substring(name.length() + 1));
            case 'B' -> execute(out, name);
            case 'X' -> {
              bindX(out, name);
              FrontendMessages.execute(out, "", 0);
            }
            case 'T' -> {
              FrontendMessages.parse(out, "one" + rest.hashCode(), rest);
              FrontendMessages.parse(out, "two" + rest.hashCode(), rest);
              execute(out, "one" + rest.hashCode());
              execute(out, "two" + rest.hashCode());
            }
            default -> throw new IllegalArgumentException(step);
          }
          if (step.charAt(0) != 'Q') {
            FrontendMessages.sync(out);
          }
        });
    StringBuilder answer = new StringBuilder();
    for (WireClient.Message message : client.untilReady()) {
      switch (message.type()) {
        case 'D' -> answer.append(' ').append(message.firstColumn());
        case 'E' -> answer.append(' ').append(message.field('C'));
        case 'T' -> answer.append(" of ").append(message.content().toArray()[1]);
        default -> {}
      }
    }
    return answer.toString();
  }

  private static void execute(ByteBuf out, String name) {
    FrontendMessages.bind(out, "", name);
    FrontendMessages.describe(out, NameKind.PORTAL, "");
    FrontendMessages.execute(out, "", 0);
  }

  private static void bindX(ByteBuf out, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    out.writeByte('B').writeInt(4 + 1 + bytes.length + 1 + 2 + 2 + 4 + 1 + 2);
    out.writeByte(0).writeBytes(bytes).writeByte(0);
    out.writeShort(0).writeShort(1).writeInt(1).writeByte('x').writeShort(0);
  }

  private static List<String> answersOfPostgres(String name) throws IOException, SQLException {
    String database = RunningProxy.newPlainDatabase();
    String url = "jdbc:postgresql://127.0.0.1:" + RunningProxy.serverPort() + "/" + database;
    return answers(name, url, () -> WireClient.loginToServer(RunningProxy.serverPort(), database));
  }

  @ParameterizedTest
  @MethodSource("names")
  void overOneShard(String name) throws IOException, SQLException {
    assertThat(answers(name, one.directUrl(0), one::login)).isEqualTo(answersOfPostgres(name));
  }

  /** DDL of the proxy goes to all shards, also where the tables are on one only. */
  static Stream<String> namesWithoutDdl() {
    return CASES.entrySet().stream()
        .filter(
            each -> each.getValue().stream().noneMatch(step -> step.matches("a Q (alter|drop).*")))
        .map(Map.Entry::getKey);
  }

  @ParameterizedTest
  @MethodSource("namesWithoutDdl")
  void onOneOfSeveralShards(String name) throws IOException, SQLException {
    Login byHand =
        () -> {
          WireClient client = several.login();
          client.query("set shardmark.shard = 's1'");
          return client;
        };
    assertThat(answers(name, several.directUrl(1), byHand)).isEqualTo(answersOfPostgres(name));
  }
}
