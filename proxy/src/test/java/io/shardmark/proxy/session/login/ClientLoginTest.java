package io.shardmark.proxy.session.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.proxy.protocol.Authentication;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.ProtocolVersion;
import io.shardmark.proxy.protocol.TraceText;
import io.shardmark.proxy.protocol.scram.ScramClient;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import io.shardmark.proxy.protocol.scram.ScramServer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(LeakCheck.class)
class ClientLoginTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Credential SCRAM = Credential.ofPassword("pencil", new SecureRandom());
  private static final Credentials USERS =
      user ->
          switch (user) {
            case "bench" -> SCRAM;
            case "local" -> new Credential.Trust();
            default -> null;
          };

  /** What the login said. */
  private static final class Outcome implements ClientLogin.ClientLoginListener {
    @Nullable AuthenticatedClient client;
    @Nullable CancelKey cancelled;
    final List<byte[]> passedOn = new ArrayList<>();

    AuthenticatedClient known() {
      return Objects.requireNonNull(client);
    }

    CancelKey cancelKey() {
      return Objects.requireNonNull(cancelled);
    }

    @Override
    public void onAuthenticated(Channel channel, AuthenticatedClient authenticated) {
      client = authenticated;
      channel
          .pipeline()
          .addLast(
              new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                  ByteBuf in = (ByteBuf) message;
                  passedOn.add(ByteBufUtil.getBytes(in));
                  in.release();
                }
              });
      channel.flush();
    }

    @Override
    public void onCancel(Channel channel, CancelKey key) {
      cancelled = key;
    }
  }

  private final Outcome outcome = new Outcome();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new ClientLogin(new ClientLoginConfig(USERS, TIMEOUT), outcome));

  @Test
  void letsTrustedUsersInAndPassesOnWhatFollows() {
    send(startup("local", Map.of("database", "db", "application_name", "x")));
    assertThat(outcome.client)
        .isEqualTo(
            new AuthenticatedClient(
                "local", "db", Map.of("application_name", "x"), ProtocolVersion.V3_0, null));
    assertThat(sent()).containsExactly("B Authentication 9 0");
    assertThat(channel.pipeline().get(ClientLogin.class)).isNull();
    channel.finishAndReleaseAll();
  }

  @Test
  void passesOnWhatCameTogetherWithTheStartupPacket() {
    ByteBuf both = channel.alloc().buffer();
    startup("local", Map.of()).accept(both);
    FrontendMessages.query(both, "x");
    channel.writeInbound(both);
    assertThat(outcome.passedOn).hasSize(1);
    assertThat(outcome.passedOn.get(0)).startsWith((byte) 'Q').hasSize(7);
    assertThat(outcome.client).isNotNull();
    assertThat(outcome.known().database()).isEqualTo("local");
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @CsvSource({"1", "3", "7", "1000"})
  void provesClientsByScramHoweverTheirBytesCome(int partBytes) {
    sendInParts(startup("bench", Map.of()), partBytes);
    assertThat(proveWith("pencil", partBytes))
        .anyMatch(line -> line.equals("B Authentication 9 0"));
    assertThat(outcome.client).isNotNull();
    assertThat(outcome.known().user()).isEqualTo("bench");
    assertThat(outcome.known().scramKeys()).isNotNull();
    assertThat(outcome.passedOn).hasSize(1);
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @CsvSource({"bench, pencils", "nobody, pencil"})
  void refusesWrongPasswordsAndUnknownUsersAlike(String user, String password) {
    send(startup(user, Map.of()));
    assertThat(proveWith(password, 1000))
        .containsExactly(
            "B ErrorResponse "
                + (user.length() + 71)
                + " S \"FATAL\" C \"28P01\" M \"password authentication failed for user \\\""
                + user
                + "\\\"\"");
    expectClosed();
  }

  @Test
  void answersRequestsForEncryptionWithNo() {
    send(FrontendMessages::gssencRequest);
    assertThat(sentBytes()).isEqualTo("N");
    send(FrontendMessages::sslRequest);
    assertThat(sentBytes()).isEqualTo("N");
    send(startup("local", Map.of()));
    assertThat(outcome.client).isNotNull();
    channel.finishAndReleaseAll();
  }

  @Test
  void negotiatesTheVersionAndUnknownOptions() {
    send(
        out ->
            FrontendMessages.startup(
                out, new ProtocolVersion(3, 7), Map.of("user", "local", "_pq_.x", "1")));
    assertThat(sent())
        .containsExactly("B NegotiateProtocolVersion 20 3.2 1 _pq_.x", "B Authentication 9 0");
    assertThat(outcome.client).isNotNull();
    assertThat(outcome.known().version()).isEqualTo(ProtocolVersion.V3_2);
    channel.finishAndReleaseAll();
  }

  @Test
  void passesCancelRequestsOn() {
    send(out -> FrontendMessages.cancelRequest(out, 7, new byte[32]));
    assertThat(outcome.cancelled).isNotNull();
    assertThat(outcome.cancelKey().processId()).isEqualTo(7);
    assertThat(outcome.cancelKey().secretKey().length()).isEqualTo(32);
    assertThat(channel.isActive()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void closesOnPacketsThatCannotBeWithoutAnAnswer() {
    send(out -> out.writeInt(1_000_000));
    assertThat(sent()).isEmpty();
    expectClosed();
  }

  @Test
  void refusesToLogInNobody() {
    send(out -> FrontendMessages.startup(out, ProtocolVersion.V3_0, Map.of()));
    assertThat(String.join("", sent())).contains("28000", "no PostgreSQL user name");
    expectClosed();
  }

  @ParameterizedTest
  @CsvSource({"true", "database", "on"})
  void refusesReplication(String value) {
    send(startup("local", Map.of("replication", value)));
    assertThat(String.join("", sent())).contains("0A000", "replication");
    expectClosed();
  }

  @Test
  void refusesOtherMessagesBeforeLogin() {
    send(startup("bench", Map.of()));
    sent();
    send(out -> FrontendMessages.query(out, "SELECT 1"));
    assertThat(String.join("", sent())).contains("08P01", "unexpected message type 0x51");
    expectClosed();
  }

  @Test
  void refusesOtherMechanisms() {
    send(startup("bench", Map.of()));
    sent();
    send(out -> FrontendMessages.saslInitialResponse(out, "PLAIN", "x"));
    assertThat(String.join("", sent())).contains("08P01", "invalid SASL mechanism");
    expectClosed();
  }

  @Test
  void endsLoginsThatTakeTooLong() {
    send(out -> out.writeInt(100));
    channel.advanceTimeBy(TIMEOUT.toMillis() + 1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(String.join("", sent())).contains("57014", "login took longer than 60 s");
    expectClosed();
  }

  @Test
  void releasesWhatItHasWhenTheClientGoes() {
    send(out -> out.writeInt(100).writeInt(0));
    channel.finishAndReleaseAll();
    assertThat(outcome.client).isNull();
  }

  private static Consumer<ByteBuf> startup(String user, Map<String, String> further) {
    Map<String, String> parameters = new LinkedHashMap<>(Map.of("user", user));
    parameters.putAll(further);
    return out -> FrontendMessages.startup(out, ProtocolVersion.V3_0, parameters);
  }

  /** Goes through SCRAM with a Sync behind the last answer; gives what the server then says. */
  private List<String> proveWith(String password, int partBytes) {
    ScramClient scram = new ScramClient("", "nonce");
    assertThat(sent()).containsExactly("B Authentication 24 10");
    sendInParts(
        out -> FrontendMessages.saslInitialResponse(out, ScramServer.MECHANISM, scram.first()),
        partBytes);
    ByteBuf reply = outbound();
    String serverFirst =
        ((Authentication.SaslContinue)
                Authentication.read(
                    BodyReader.ofMessage("Authentication", reply, 0, reply.readableBytes())))
            .data();
    reply.release();
    ScramClient.Challenge challenge = scram.challenge(serverFirst);
    ScramKeys keys = ScramKeys.derive(password, challenge.salt(), challenge.iterations());
    String last = scram.answer(challenge, keys).text();
    sendInParts(
        out -> {
          FrontendMessages.saslResponse(out, last);
          if (partBytes >= out.readableBytes()) {
            FrontendMessages.sync(out);
          }
        },
        partBytes);
    if (partBytes < 1000) {
      send(FrontendMessages::sync);
    }
    return sent();
  }

  private void send(Consumer<ByteBuf> writer) {
    sendInParts(writer, Integer.MAX_VALUE);
  }

  private void sendInParts(Consumer<ByteBuf> writer, int partBytes) {
    ByteBuf out = channel.alloc().buffer();
    writer.accept(out);
    while (out.isReadable()) {
      channel.writeInbound(out.readBytes(Math.min(partBytes, out.readableBytes())));
    }
    out.release();
  }

  private List<String> sent() {
    ByteBuf out = outbound();
    try {
      return TraceText.ofServer(out);
    } finally {
      out.release();
    }
  }

  private String sentBytes() {
    ByteBuf out = outbound();
    try {
      return out.toString(StandardCharsets.US_ASCII);
    } finally {
      out.release();
    }
  }

  private ByteBuf outbound() {
    CompositeByteBuf all = channel.alloc().compositeBuffer();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      all.addComponent(true, out);
    }
    return all;
  }

  private void expectClosed() {
    assertThat(channel.isActive()).isFalse();
    assertThat(outcome.client).isNull();
    channel.finishAndReleaseAll();
  }
}
