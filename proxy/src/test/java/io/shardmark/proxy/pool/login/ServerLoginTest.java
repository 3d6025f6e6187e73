package io.shardmark.proxy.pool.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.config.Secret;
import io.shardmark.proxy.protocol.Authentication;
import io.shardmark.proxy.protocol.BackendMessage;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.ProtocolVersion;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.protocol.scram.ScramServer;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login, message by message, with a server that a test plays. */
@ExtendWith(LeakCheck.class)
final class ServerLoginTest {
  private static final Bytes SALT = Bytes.ofText("salt of a test");
  private static final BackendMessage OK =
      new BackendMessage.AuthenticationRequest(new Authentication.Ok());
  private static final BackendMessage READY =
      new BackendMessage.ReadyForQuery(TransactionStatus.IDLE);

  private final List<Runnable> background = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private final Outcome outcome = new Outcome();

  private static final class Outcome implements ServerLogin.ServerLoginListener {
    @Nullable LoggedInServer server;
    @Nullable ErrorFields error;
    int calls;

    @Override
    public void onLoggedIn(Channel channel, LoggedInServer loggedIn) {
      server = loggedIn;
      calls++;
    }

    @Override
    public void onLoginFailed(Channel channel, ErrorFields failure) {
      error = failure;
      calls++;
    }

    String failure() {
      ErrorFields found = error;
      return found == null ? "" : found.sqlState().code() + " " + found.message();
    }
  }

  private EmbeddedChannel channel(ServerAccount account) {
    ServerLoginConfig config =
        new ServerLoginConfig(
            "db",
            Map.of("application_name", "test"),
            null,
            Duration.ofSeconds(15),
            background::add);
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast(new ServerLogin(account, config, channel.remoteAddress(), outcome));
    channels.add(channel);
    return channel;
  }

  @AfterEach
  void releaseWhatNobodyRead() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  private static ServerAccount password() {
    return ServerAccount.ofPassword("u", new Secret("pw"));
  }

  private static void says(EmbeddedChannel channel, BackendMessage... messages) {
    ByteBuf out = Unpooled.buffer();
    for (BackendMessage message : messages) {
      message.encode(out);
    }
    channel.writeInbound(out);
  }

  /** What the server has got since the last call, as text with the bytes that are not printable. */
  private static String got(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  private static BackendMessage asks(Authentication request) {
    return new BackendMessage.AuthenticationRequest(request);
  }

  @Test
  void collectsWhatTheServerReports() {
    EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
    assertThat(got(channel)).endsWith("user\0u\0database\0db\0application_name\0test\0\0");
    says(
        channel,
        OK,
        new BackendMessage.ParameterStatus("server_version", "15.0"),
        new BackendMessage.ParameterStatus("TimeZone", "UTC"),
        new BackendMessage.BackendKeyData(7, Bytes.of(new byte[4])));
    assertThat(outcome.calls).isZero();
    says(channel, READY);
    assertThat(outcome.calls).isEqualTo(1);
    LoggedInServer server = Objects.requireNonNull(outcome.server);
    assertThat(List.copyOf(server.parameters().keySet()))
        .as("in the server's order")
        .containsExactly("server_version", "TimeZone");
    assertThat(server.settings().value("timezone")).contains("UTC");
    assertThat(channel.pipeline().get(ServerLogin.class)).isNull();
  }

  @Test
  void takesEveryMessageWhereverItIsSplit() {
    ByteBuf all = Unpooled.buffer();
    for (BackendMessage message :
        List.of(
            OK,
            new BackendMessage.ParameterStatus("TimeZone", "UTC"),
            new BackendMessage.BackendKeyData(7, Bytes.of(new byte[32])),
            READY)) {
      message.encode(all);
    }
    for (int split = 1; split < all.readableBytes(); split++) {
      int callsBefore = outcome.calls;
      EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
      channel.writeInbound(all.copy(0, split), all.copy(split, all.readableBytes() - split));
      assertThat(outcome.calls).as("split at %d", split).isEqualTo(callsBefore + 1);
      assertThat(outcome.error).isNull();
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void answersMd5() {
    EmbeddedChannel channel = channel(password());
    got(channel);
    says(channel, asks(new Authentication.Md5Password(Bytes.of(new byte[] {1, 2, 3, 4}))));
    String expected = ServerAuthentication.md5Answer("u", "pw", Bytes.of(new byte[] {1, 2, 3, 4}));
    assertThat(got(channel)).isEqualTo("p\0\0\0(" + expected + "\0");
    says(channel, OK, READY);
    assertThat(outcome.server).isNotNull();
  }

  @Test
  void provesItselfAndTheServerByScram() {
    EmbeddedChannel channel = channel(password());
    got(channel);
    says(channel, asks(new Authentication.Sasl(List.of("SCRAM-SHA-256"))));
    String first = got(channel);
    ScramServer server = scramServer(first);
    says(channel, asks(new Authentication.SaslContinue(server.challenge())));
    assertThat(got(channel)).as("keys are derived elsewhere").isEmpty();
    says(channel); // nothing is read meanwhile
    background.remove(0).run();
    channel.runPendingTasks();
    ScramServer.Proved proved = server.last(got(channel).substring(5));
    says(channel, asks(new Authentication.SaslFinal(proved.text())), OK, READY);
    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.server).isNotNull();
  }

  private static ScramServer scramServer(String firstMessage) {
    return new ScramServer(
        ScramVerifier.ofPassword("pw", SALT),
        "nonce-of-a-server-that-is-long",
        firstMessage.substring(firstMessage.indexOf("n,,")));
  }

  @Test
  void letsNoServerInThatHasNotProvedItself() {
    EmbeddedChannel channel = channel(password());
    says(channel, asks(new Authentication.Sasl(List.of("SCRAM-SHA-256"))), OK);
    assertThat(outcome.failure())
        .isEqualTo("08P01 login to the server: AuthenticationOk out of turn");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void sendsNoPasswordInClearTextWithoutTls() {
    EmbeddedChannel channel = channel(password());
    got(channel);
    says(channel, asks(new Authentication.CleartextPassword()));
    assertThat(got(channel)).isEmpty();
    assertThat(outcome.failure()).startsWith("28000 ").contains("without TLS");
  }

  @Test
  void saysWhichPasswordIsMissing() {
    EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
    says(channel, asks(new Authentication.Md5Password(Bytes.of(new byte[4]))));
    assertThat(outcome.failure())
        .isEqualTo("28000 login to the server: the server asks user \"u\" for a password");
  }

  @Test
  void passesTheServersRefusalOn() {
    EmbeddedChannel channel = channel(password());
    says(
        channel,
        new BackendMessage.ErrorResponse(
            ErrorFields.fatal(new SqlState("3D000"), "database \"db\" does not exist")));
    assertThat(outcome.failure()).isEqualTo("3D000 database \"db\" does not exist");
    assertThat(outcome.calls).isEqualTo(1);
  }

  @Test
  void speaksTheOlderVersionThatTheServerOffers() {
    EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
    says(
        channel,
        new BackendMessage.NegotiateProtocolVersion(ProtocolVersion.V3_0, List.of()),
        OK,
        READY);
    assertThat(outcome.server).isNotNull();
  }

  @Test
  void refusesANewerVersionThanItAskedFor() {
    EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
    says(
        channel, new BackendMessage.NegotiateProtocolVersion(new ProtocolVersion(3, 9), List.of()));
    assertThat(outcome.failure()).startsWith("08P01 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DataRow", "ParameterStatus", "ReadyForQuery in a transaction"})
  void refusesWhatBelongsToNoLogin(String what) {
    EmbeddedChannel channel = channel(ServerAccount.trusted("u"));
    switch (what) {
      case "DataRow" -> says(channel, OK, new BackendMessage.DataRow(List.of()));
      case "ParameterStatus" -> says(channel, new BackendMessage.ParameterStatus("a", "b"));
      default ->
          says(channel, OK, new BackendMessage.ReadyForQuery(TransactionStatus.IN_TRANSACTION));
    }
    assertThat(outcome.failure()).startsWith("08P01 login to the server: ");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void endsWithItsLink() {
    EmbeddedChannel channel = channel(password());
    channel.close().syncUninterruptibly();
    assertThat(outcome.failure()).isEqualTo("08006 the server closed the connection during login");
    assertThat(outcome.calls).isEqualTo(1);
  }

  @Test
  void endsAfterItsTime() {
    EmbeddedChannel channel = channel(password());
    channel.advanceTimeBy(15, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertThat(outcome.failure()).isEqualTo("08006 login to the server took longer than 15000 ms");
    assertThat(channel.isOpen()).isFalse();
  }
}
