package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What breaks the protocol, said to a running proxy beside a client in the middle of a transaction.
 * Whoever does so is told 08P01 and let go; the neighbour notices nothing.
 */
final class HostileClientsTest {
  private static final int FUZZED_CLIENTS = 600;
  private static final String VIOLATION = "08P01";

  @AutoClose private static RunningProxy proxy;
  private WireClient neighbour;

  @BeforeAll
  static void start() throws Exception {
    proxy = RunningProxy.start(2, "pool_size: 3");
    proxy.makeOnShards("create table t (id int primary key, v text)");
  }

  @BeforeEach
  void beginTransaction() throws IOException {
    neighbour = proxy.login();
    // On its own, for it locks the table, which is on both shards, until it is committed.
    neighbour.query("delete from t");
    neighbour.query("begin");
    neighbour.query("insert into t values (1, 'kept')");
  }

  @AfterEach
  void theNeighbourHasNoticedNothing() throws Exception {
    assertThat(neighbour.query("select v from t where id = 1")).isEqualTo("kept");
    assertThat(neighbour.query("commit")).isEmpty();
    neighbour.close();
    Await.until("all clients are gone", () -> proxy.server().clientCount() == 0);
    // What they left is undone, and what was closed ends, a moment later.
    Await.until("no server is busy", () -> servers("state <> 'idle'") == 0);
    Await.until("no more than the pool's are open", () -> servers("true") <= 3);
  }

  private static int servers(String condition) throws SQLException {
    return Integer.parseInt(
        proxy.onShard(
            0,
            "select count(*) from pg_stat_activity where datname = current_database() and"
                + " application_name in ('shardmark', '') and backend_type = 'client backend' and "
                + condition));
  }

  private static Arguments bytes(String name, Consumer<ByteBuf> writer) {
    return Arguments.of(name, writer);
  }

  static List<Arguments> noStartups() {
    return List.of(
        bytes("too short to be a packet", out -> out.writeInt(7)),
        bytes("no length at all", out -> out.writeInt(0)),
        bytes("a negative length", out -> out.writeInt(-1)),
        bytes("longer than any", out -> out.writeInt(10_005).writeInt(196_608)),
        bytes("HTTP", out -> out.writeCharSequence("GET / HTTP/1.1\r\n\r\n", ascii())));
  }

  /** As PostgreSQL: whoever does not speak its protocol is told nothing in it. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("noStartups")
  void whatIsNoStartupPacketIsNotAnswered(String name, Consumer<ByteBuf> writer)
      throws IOException {
    for (int port : List.of(RunningProxy.serverPort(), proxy.port())) {
      try (WireClient client = WireClient.open(port)) {
        client.send(writer);
        assertThat(client.next()).isEmpty();
      }
    }
  }

  static List<Arguments> startups() {
    return List.of(
        bytes("a name without value", out -> packet(out, "user\0")),
        bytes("an unended string", out -> packet(out, "user\0postgres\0data")),
        bytes("bytes behind the end", out -> packet(out, "user\0postgres\0\0more")),
        bytes("a cancel request of no length", out -> out.writeInt(8).writeInt(80_877_102)));
  }

  private static java.nio.charset.Charset ascii() {
    return StandardCharsets.US_ASCII;
  }

  @Test
  void anotherProtocolIsNotSupported() throws IOException {
    try (WireClient client = WireClient.open(proxy.port())) {
      client.send(out -> out.writeInt(9).writeInt(131_072).writeByte(0));
      assertThat(WireClient.errors(client.until('E'))).containsExactly("0A000");
      assertThat(client.next()).isEmpty();
    }
  }

  private static void packet(ByteBuf out, String body) {
    out.writeInt(8 + body.length()).writeInt(196_608).writeCharSequence(body, ascii());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("startups")
  void badStartupPacketsAreRefused(String name, Consumer<ByteBuf> writer) throws IOException {
    try (WireClient client = WireClient.open(proxy.port())) {
      client.send(writer);
      assertThat(WireClient.errors(client.until('E'))).containsExactly(VIOLATION);
      assertThat(client.next()).isEmpty();
    }
  }

  static List<Arguments> messages() {
    return List.of(
        bytes("an unknown type", out -> out.writeByte('?').writeInt(4)),
        bytes("a message of servers", out -> out.writeByte('Z').writeInt(5).writeByte('I')),
        bytes("a password after login", out -> FrontendMessages.password(out, "x")),
        bytes("a length under 4", out -> out.writeByte('Q').writeInt(3)),
        bytes("a negative length", out -> out.writeByte('Q').writeInt(Integer.MIN_VALUE)),
        bytes("a message of 2 GB", out -> out.writeByte('Q').writeInt(Integer.MAX_VALUE)),
        bytes("a Sync of 1 MB", out -> out.writeByte('S').writeInt(1 << 20)),
        bytes("a Query without end", out -> out.writeByte('Q').writeInt(5).writeByte('x')),
        bytes("a Parse cut short", out -> out.writeByte('P').writeInt(6).writeShort(0)),
        bytes("a Parse of -1 types", out -> message(out, 'P', "\0select 1\0\377\377")),
        bytes("an Execute without a count", out -> message(out, 'E', "\0")));
  }

  private static void message(ByteBuf out, char type, String body) {
    out.writeByte(type).writeInt(4 + body.length());
    out.writeCharSequence(body, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("messages")
  void badMessagesEndTheSession(String name, Consumer<ByteBuf> writer) throws IOException {
    try (WireClient client = proxy.login()) {
      client.query("begin");
      client.query("select count(*) from t");
      client.send(writer);
      assertThat(WireClient.errors(client.until('E'))).containsExactly(VIOLATION);
      assertThat(client.next()).isEmpty();
    }
  }

  @Test
  void messagesInAnImpossibleOrderFailTheirStatementOnly() throws IOException {
    try (WireClient client = proxy.login()) {
      client.send(
          out -> {
            FrontendMessages.execute(out, "", 0);
            FrontendMessages.sync(out);
          });
      assertThat(client.answer()).isEqualTo("34000");
      client.send(
          out -> {
            FrontendMessages.bind(out, "", "never parsed");
            FrontendMessages.execute(out, "", 0);
            FrontendMessages.sync(out);
          });
      assertThat(client.answer()).isEqualTo("26000");
      // Copy messages outside of a copy are dropped, as PostgreSQL does.
      client.send(
          out -> {
            FrontendMessages.copyDone(out);
            FrontendMessages.copyFail(out, "why");
          });
      assertThat(client.query("select 5")).isEqualTo("5");
    }
  }

  @Test
  void anotherMessageInTheMiddleOfACopyEndsTheSession() throws IOException {
    try (WireClient client = proxy.login()) {
      client.sendQuery("copy t from stdin");
      assertThat(WireClient.types(client.until('G'))).isEqualTo("G");
      client.sendQuery("select 1");
      assertThat(WireClient.errors(client.until('E'))).containsExactly(VIOLATION);
      assertThat(client.next()).isEmpty();
    }
  }

  @Test
  void aRefusedEncryptionLeavesTheWayToALogin() throws IOException {
    try (WireClient client = WireClient.open(proxy.port())) {
      client.send(FrontendMessages::gssencRequest);
      assertThat(client.read(new byte[1])).isEqualTo(1);
      client.startup(ProtocolVersion.V3_0, Map.of());
      assertThat(client.query("select 3")).isEqualTo("3");
    }
  }

  @Test
  void randomAndMutatedStreamsHarmNobodyElse() throws Exception {
    long seed = Long.getLong("shardmark.fuzz.seed", new Random().nextLong());
    System.out.println("HostileClientsTest seed " + seed);
    Random random = new Random(seed);
    int told = 0;
    for (int i = 0; i < FUZZED_CLIENTS; i++) {
      try (WireClient client =
          random.nextInt(4) == 0 ? WireClient.open(proxy.port()) : proxy.login()) {
        client.sendBytes(stream(random));
        // So that whoever is still understood has an end to come to.
        client.finishOutput();
        List<WireClient.Message> answer = client.until('!');
        // Whoever does not even begin with a startup packet is told nothing.
        told += answer.isEmpty() || WireClient.errors(answer).contains(VIOLATION) ? 1 : 0;
      } catch (SocketException e) {
        // The proxy has closed while we were still sending.
      }
      if (i % 100 == 0) {
        assertThat(neighbour.query("select v from t where id = 1"))
            .as("seed %d", seed)
            .isEqualTo("kept");
      }
    }
    assertThat(told).as("seed %d: who was told what is wrong, or nothing", seed).isGreaterThan(100);
  }

  /** A pipeline that would be right, with some bytes changed, cut or doubled; or any bytes. */
  private static byte[] stream(Random random) {
    ByteBuf out = io.netty.buffer.Unpooled.buffer();
    if (random.nextInt(8) == 0) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      return bytes;
    }
    FrontendMessages.parse(out, "s", "select v from t where id = $1", 23);
    FrontendMessages.describe(out, io.shardmark.proxy.protocol.NameKind.STATEMENT, "s");
    FrontendMessages.parse(out, "", "select count(*) from t where id < 7");
    FrontendMessages.bind(out, "", "");
    FrontendMessages.execute(out, "", random.nextInt(3));
    FrontendMessages.sync(out);
    FrontendMessages.query(out, "begin; select 1; rollback");
    FrontendMessages.query(out, "copy t from stdin");
    message(out, 'd', "900\tx\n");
    FrontendMessages.copyFail(out, "no");
    FrontendMessages.query(out, "set work_mem = '1MB'");
    byte[] bytes = Arrays.copyOf(out.array(), out.writerIndex());
    for (int count = random.nextInt(4); count >= 0 && bytes.length > 0; count--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        default -> {
          byte[] doubled = Arrays.copyOf(bytes, bytes.length + at);
          System.arraycopy(bytes, 0, doubled, bytes.length, at);
          bytes = doubled;
        }
      }
    }
    return bytes;
  }
}
