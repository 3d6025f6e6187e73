package io.shardmark.driver.idle;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One session in PostgreSQL's protocol, version 3: logs in, asks one question at a time, takes
 * leave. Knows bytes and no socket; {@link #received} gives what is to be sent. Used by one thread.
 */
final class IdleSession {
  private static final int PROTOCOL_3_0 = 196_608;
  private static final int HEADER = 5;

  /** What comes to an idle session is short; a longer message is not PostgreSQL's. */
  private static final int LONGEST_MESSAGE = 1 << 20;

  private static final byte[] NOTHING = {};
  private static final byte[] TERMINATE = {'X', 0, 0, 0, 4};

  /** What every session of a process logs in with. */
  record Login(String user, String password, String database, SaltedPasswords salted) {
    static Login of(IdleOrders orders) {
      return new Login(
          orders.user(),
          orders.password(),
          orders.database(),
          new SaltedPasswords(orders.password()));
    }
  }

  enum SessionState {
    /** From the startup message to the first ReadyForQuery. */
    LOGGING_IN,
    IDLE,
    /** A question is not answered yet. */
    ASKED,
    /** Has taken leave; the server is to close. */
    LEAVING
  }

  private final int number;
  private final Login login;
  private SessionState state = SessionState.LOGGING_IN;
  private byte[] rest = NOTHING;
  private boolean answeredRight;
  private long askedNanos;
  private @Nullable ScramLogin scram;

  /**
   * @param number of it among all of the run; what it asks the server for
   */
  IdleSession(int number, Login login) {
    this.number = number;
    this.login = login;
  }

  int number() {
    return number;
  }

  SessionState state() {
    return state;
  }

  long askedNanos() {
    return askedNanos;
  }

  /** Whether the last answer was the number that it asked for. */
  boolean answeredRight() {
    return answeredRight;
  }

  /** What begins a session. */
  byte[] startup() {
    String parameters =
        "user\0%s\0database\0%s\0application_name\0shardmark idle\0\0"
            .formatted(login.user, login.database);
    byte[] bytes = parameters.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + bytes.length)
        .putInt(8 + bytes.length)
        .putInt(PROTOCOL_3_0)
        .put(bytes)
        .array();
  }

  /** Asks for its number. */
  byte[] ask(long nowNanos) {
    state = SessionState.ASKED;
    askedNanos = nowNanos;
    answeredRight = false;
    return message('Q', text("SELECT " + number));
  }

  byte[] leave() {
    state = SessionState.LEAVING;
    return TERMINATE.clone();
  }

  /**
   * Takes what the server sent.
   *
   * @return what is to be sent to it; may be empty
   * @throws LoginRefused if it sends an error: no session of this kind causes one
   */
  byte[] received(ByteBuffer bytes) throws LoginRefused {
    byte[] all = Arrays.copyOf(rest, rest.length + bytes.remaining());
    bytes.get(all, rest.length, bytes.remaining());
    ByteBuffer in = ByteBuffer.wrap(all);
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    while (in.remaining() >= HEADER) {
      int length = in.getInt(in.position() + 1);
      if (length < 4 || length > LONGEST_MESSAGE) {
        throw new LoginRefused("does not speak PostgreSQL's protocol");
      }
      if (in.remaining() < 1 + length) {
        break;
      }
      int next = in.position() + 1 + length;
      byte type = in.get();
      in.getInt();
      answer.writeBytes(message(type, in.slice().limit(length - 4)));
      in.position(next);
    }
    rest = in.hasRemaining() ? Arrays.copyOfRange(all, in.position(), all.length) : NOTHING;
    return answer.toByteArray();
  }

  private byte[] message(byte type, ByteBuffer body) throws LoginRefused {
    switch (type) {
      case 'R' -> {
        return authentication(body);
      }
      case 'E' -> throw new LoginRefused(error(body));
      case 'D' -> answeredRight = isNumber(body);
      case 'Z' -> {
        if (state != SessionState.LEAVING) {
          state = SessionState.IDLE;
        }
        scram = null;
      }
      default -> {
        // Parameters, the key for cancelling, notices, descriptions of rows: nothing to do.
      }
    }
    return NOTHING;
  }

  private byte[] authentication(ByteBuffer body) throws LoginRefused {
    int kind = body.getInt();
    return switch (kind) {
      case 0 -> NOTHING;
      case 3 -> message('p', text(login.password));
      case 10 -> scramFirst(string(body));
      case 11 ->
          message('p', scramUnderWay().clientFinal(string(body)).getBytes(StandardCharsets.UTF_8));
      case 12 -> {
        scramUnderWay().check(string(body));
        yield NOTHING;
      }
      default ->
          throw new LoginRefused(
              "asks for authentication of kind %d; idle sessions know trust, password and scram-sha-256"
                  .formatted(kind));
    };
  }

  private byte[] scramFirst(String offered) throws LoginRefused {
    if (!Arrays.asList(offered.split("\0", -1)).contains(ScramLogin.SHA_256.getName())) {
      throw new LoginRefused("offers no " + ScramLogin.SHA_256.getName());
    }
    ScramLogin begun = new ScramLogin(login.salted);
    scram = begun;
    byte[] first = begun.clientFirst().getBytes(StandardCharsets.UTF_8);
    byte[] mechanism = text(ScramLogin.SHA_256.getName());
    return message(
        'p',
        ByteBuffer.allocate(mechanism.length + 4 + first.length)
            .put(mechanism)
            .putInt(first.length)
            .put(first)
            .array());
  }

  private ScramLogin scramUnderWay() throws LoginRefused {
    if (scram == null) {
      throw new LoginRefused("sends SCRAM messages that nobody asked for");
    }
    return scram;
  }

  /** A row of one column. */
  private boolean isNumber(ByteBuffer row) {
    if (row.remaining() < 6 || row.getShort() != 1) {
      return false;
    }
    int length = row.getInt();
    return length == row.remaining() && string(row).equals(Integer.toString(number));
  }

  /** SQLSTATE and message of an ErrorResponse. */
  private static String error(ByteBuffer fields) {
    String state = "";
    String text = "";
    for (String field : string(fields).split("\0", -1)) {
      if (field.startsWith("C")) {
        state = field.substring(1);
      } else if (field.startsWith("M")) {
        text = field.substring(1).replaceAll("\\p{Cntrl}", " ");
      }
    }
    return text + " (SQLSTATE " + state + ")";
  }

  private static String string(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  private static byte[] text(String text) {
    return (text + "\0").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] message(char type, byte[] body) {
    return ByteBuffer.allocate(HEADER + body.length)
        .put((byte) type)
        .putInt(4 + body.length)
        .put(body)
        .array();
  }
}
