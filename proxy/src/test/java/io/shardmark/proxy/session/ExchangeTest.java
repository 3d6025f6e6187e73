package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.PlacementChanges.PlacementChange;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole exchanges between a client, its session and the servers, as text: {@code exchanges.txt}.
 * What comes between two events is sent in one piece.
 */
@ExtendWith(LeakCheck.class)
final class ExchangeTest {
  static Stream<Arguments> exchanges() throws IOException {
    try (InputStream in = ExchangeTest.class.getResourceAsStream("exchanges.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("(?m)^# ", -1)).skip(1).map(ExchangeTest::exchange);
    }
  }

  private static Arguments exchange(String block) {
    List<String> lines = block.lines().filter(line -> !line.isBlank()).toList();
    List<String> steps = lines.stream().filter(line -> line.startsWith("> ")).toList();
    List<String> found = lines.stream().skip(1).filter(line -> !line.startsWith("> ")).toList();
    int end = lines.get(0).lastIndexOf(", ");
    int shards = Integer.parseInt(lines.get(0).substring(end + 2).split(" ", 2)[0]);
    return arguments(lines.get(0).substring(0, end), shards, steps, found);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("exchanges")
  void isAsWritten(String title, int shards, List<String> steps, List<String> expected) {
    SimulatedCluster cluster = new SimulatedCluster(shards, 1);
    Play play = new Play(cluster);
    steps.forEach(step -> play.step(step.substring(2)));
    play.sendAll();
    cluster.settle();
    List<String> found = new ArrayList<>();
    found.add(("client: " + play.client.answers()).strip());
    for (int shard = 0; shard < shards; shard++) {
      String asked = cluster.asked(shard);
      if (!asked.isEmpty()) {
        found.add("s" + shard + ": " + asked);
      }
    }
    assertThat(found).as(title).isEqualTo(expected);
    play.client.leave();
    play.other.leave();
    cluster.close();
  }

  /** A client with a connection to each shard opened before, and another one. */
  private static final class Play {
    private final SimulatedCluster cluster;
    private final TestClient other;
    private final TestClient client;
    private final List<Consumer<ByteBuf>> unsent = new ArrayList<>();
    private @Nullable PlacementChange move;

    Play(SimulatedCluster cluster) {
      this.cluster = cluster;
      this.other = cluster.login();
      this.client = cluster.login();
      client.send(out -> FrontendMessages.query(out, "update r set v = 0"));
      cluster.settle();
      client.answers();
      for (int shard = 0; shard < cluster.shards(); shard++) {
        cluster.asked(shard);
      }
    }

    void step(String step) {
      if (step.startsWith("! ")) {
        sendAll();
        event(step.substring(2));
        cluster.runTasks();
      } else {
        unsent.add(out -> write(out, step.split(" ", 2)));
      }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    void sendAll() {
      if (!unsent.isEmpty()) {
        client.send(unsent.toArray(Consumer[]::new));
        unsent.clear();
      }
    }

    private void event(String event) {
      switch (event) {
        case "settle" -> cluster.settle();
        case "time passes" -> cluster.passTime();
        case "a server answers" -> cluster.servers().forEach(SimulatedServer::answerOne);
        case "cancel" -> client.cancel();
        case "links are lost" -> cluster.servers().forEach(SimulatedServer::lose);
        case "connection refused" -> cluster.failConnect();
        case "the next message to s1 fails" -> cluster.server(1).failNext();
        case "the link to s1 is lost" -> cluster.server(1).lose();
        case "s0 answers" -> cluster.server(0).answerAll();
        case "s1 answers" -> cluster.server(1).answerAll();
        case "drain" -> client.session().drain();
        case "pause" -> cluster.pools().pause();
        case "resume" -> {
          cluster.pools().resume();
          client.session().resumed();
        }
        case "move t" -> move = cluster.placementChanges().begin(Hold.ofStatements(Set.of("t")));
        case "hold back transactions on t" ->
            move =
                cluster.placementChanges().begin(new Hold(Set.of("t"), Hold.Manner.TRANSACTIONS));
        case "hold back everything" -> move = cluster.placementChanges().begin(Hold.EVERYTHING);
        case "move is late" ->
            cluster
                .placementChanges()
                .refuse(
                    Objects.requireNonNull(move),
                    ErrorFields.error(new SqlState("55P03"), "the move takes too long"));
        case "moved" -> cluster.placementChanges().end(Objects.requireNonNull(move));
        case "other ends" -> {
          other.send(out -> FrontendMessages.query(out, "rollback"));
          cluster.settle();
        }
        case "other begins" -> {
          other.send(out -> FrontendMessages.query(out, "begin; update r set v = 1"));
          cluster.settle();
          for (int shard = 0; shard < cluster.shards(); shard++) {
            cluster.asked(shard);
          }
        }
        default -> throw new IllegalArgumentException(event);
      }
    }

    private static void write(ByteBuf out, String[] message) {
      String rest = message.length < 2 ? "" : message[1];
      switch (message[0]) {
        case "Query" -> FrontendMessages.query(out, rest);
        case "Parse" ->
            FrontendMessages.parse(out, name(rest, 0), rest.substring(rest.indexOf(' ') + 1));
        case "Bind" -> FrontendMessages.bind(out, name(rest, 0), name(rest, 1));
        case "Execute" ->
            FrontendMessages.execute(out, name(rest, 0), Integer.parseInt(name(rest, 1)));
        case "Describe" -> FrontendMessages.describe(out, kind(rest), name(rest, 1));
        case "Close" -> FrontendMessages.close(out, kind(rest), name(rest, 1));
        case "Sync" -> FrontendMessages.sync(out);
        case "Flush" -> FrontendMessages.flush(out);
        case "Terminate" -> FrontendMessages.terminate(out);
        case "CopyData" -> {
          byte[] row = (rest + "\n").getBytes(StandardCharsets.UTF_8);
          FrontendMessages.copyDataHeader(out, row.length);
          out.writeBytes(row);
        }
        case "CopyDone" -> FrontendMessages.copyDone(out);
        case "CopyFail" -> FrontendMessages.copyFail(out, rest);
        case "FunctionCall" -> {
          out.writeByte('F');
          out.writeInt(4 + 4 + 2 + 2 + 2);
          out.writeInt(1).writeShort(0).writeShort(0).writeShort(0);
        }
        default -> throw new IllegalArgumentException(message[0]);
      }
    }

    private static NameKind kind(String fields) {
      return fields.startsWith("S") ? NameKind.STATEMENT : NameKind.PORTAL;
    }

    private static String name(String fields, int index) {
      String name = fields.split(" ", -1)[index];
      return name.equals("-") ? "" : name;
    }
  }
}
