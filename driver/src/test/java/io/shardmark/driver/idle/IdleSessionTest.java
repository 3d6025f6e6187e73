package io.shardmark.driver.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of an idle session, with a real server and with answers that no server should give. */
final class IdleSessionTest {
  private static final int NUMBER = 4700;

  private static IdleSession session(String user, String password) {
    return new IdleSession(
        NUMBER,
        IdleSession.Login.of(
            new IdleOrders(
                user,
                password,
                "postgres",
                List.of(new PostgresEndpoint("127.0.0.1", 1)),
                List.of(),
                0,
                1,
                30,
                60)));
  }

  /** Talks with the server until the session is idle again. */
  private static void untilIdle(Socket socket, IdleSession session)
      throws IOException, LoginRefused {
    byte[] buffer = new byte[4096];
    do {
      int length = socket.getInputStream().read(buffer);
      assertThat(length).as("the server closes").isPositive();
      byte[] answer = session.received(ByteBuffer.wrap(buffer, 0, length));
      socket.getOutputStream().write(answer);
    } while (session.state() != IdleSession.SessionState.IDLE);
  }

  private static Socket connect() throws IOException, SQLException {
    try (Connection connection = SharedPostgres.connect("postgres")) {
      String url = connection.getMetaData().getURL();
      PostgresEndpoint endpoint =
          PostgresEndpoint.of(url, "postgres").orElseThrow().endpoints().get(0);
      return new Socket(endpoint.host(), endpoint.port());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pencil", "with 'quotes' and \\", "Passwörter ｆｕｌｌｗｉｄｔｈ"})
  void logsInByScramAndGetsItsAnswers(String password) throws Exception {
    String user = "idle" + Integer.toHexString(password.hashCode());
    try (Connection connection = SharedPostgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(user, password.replace("'", "''")));
    }
    IdleSession session = session(user, password);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(session.startup());
      untilIdle(socket, session);
      for (int question = 0; question < 3; question++) {
        socket.getOutputStream().write(session.ask(question));
        assertThat(session.state()).isEqualTo(IdleSession.SessionState.ASKED);
        untilIdle(socket, session);
        assertThat(session.answeredRight()).isTrue();
      }
      socket.getOutputStream().write(session.leave());
      assertThat(socket.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
    }
  }

  @Test
  void tellsWhyTheServerRefusesIt() throws Exception {
    IdleSession session = session("postgres", "not the password");
    try (Socket socket = connect()) {
      socket.getOutputStream().write(session.startup());
      assertThatThrownBy(() -> untilIdle(socket, session))
          .isInstanceOf(LoginRefused.class)
          .hasMessage("password authentication failed for user \"postgres\" (SQLSTATE 28P01)");
    }
  }

  private static byte[] message(char type, byte[] body) {
    return ByteBuffer.allocate(5 + body.length)
        .put((byte) type)
        .putInt(4 + body.length)
        .put(body)
        .array();
  }

  private static byte[] row(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(6 + text.length)
        .putShort((short) 1)
        .putInt(text.length)
        .put(text)
        .array();
  }

  private static byte[] answer(String value) {
    byte[] row = message('D', row(value));
    byte[] ready = message('Z', new byte[] {'I'});
    return ByteBuffer.allocate(row.length + ready.length).put(row).put(ready).array();
  }

  @Test
  void anAnswerMayComeInAnyPieces() throws Exception {
    byte[] answer = answer(Integer.toString(NUMBER));
    for (int cut = 0; cut <= answer.length; cut++) {
      IdleSession session = session("u", "p");
      session.ask(0);
      session.received(ByteBuffer.wrap(answer, 0, cut));
      session.received(ByteBuffer.wrap(answer, cut, answer.length - cut));
      assertThat(session.state()).as("cut at %d", cut).isEqualTo(IdleSession.SessionState.IDLE);
      assertThat(session.answeredRight()).as("cut at %d", cut).isTrue();
    }
  }

  @Test
  void anotherSessionsAnswerIsWrong() throws Exception {
    IdleSession session = session("u", "p");
    session.ask(0);
    session.received(ByteBuffer.wrap(answer("4800")));
    assertThat(session.state()).isEqualTo(IdleSession.SessionState.IDLE);
    assertThat(session.answeredRight()).isFalse();
  }

  @Test
  void aServerThatDoesNotKnowThePasswordIsNotBelieved() throws Exception {
    IdleSession session = session("u", "p");
    byte[] first =
        session.received(
            ByteBuffer.wrap(
                message('R', "\0\0\0\nSCRAM-SHA-256\0\0".getBytes(StandardCharsets.US_ASCII))));
    String nonce = new String(first, StandardCharsets.US_ASCII).replaceFirst("(?s).*?,r=", "");
    session.received(
        ByteBuffer.wrap(
            message(
                'R',
                ("\0\0\0\013r=" + nonce + "x,s=c2FsdA==,i=4096")
                    .getBytes(StandardCharsets.US_ASCII))));
    byte[] last = message('R', "\0\0\0\014v=AAAAAAAAAAAAAAAA".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> session.received(ByteBuffer.wrap(last)))
        .isInstanceOf(LoginRefused.class)
        .hasMessage("does not know the password that it asks for");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n", "\0\0\0\0\0\0", "R\0\0\0\003"})
  void whatIsNotTheProtocolIsRefused(String bytes) {
    assertThatThrownBy(
            () ->
                session("u", "p")
                    .received(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII))))
        .isInstanceOf(LoginRefused.class)
        .hasMessage("does not speak PostgreSQL's protocol");
  }
}
