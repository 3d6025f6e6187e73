package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server answered to something that the proxy asked for itself: the outcome, no rows. */
public class CapturedAnswer implements AnswerHandler {
  /** For what cannot fail, or whose failure shows in what follows. */
  public static final AnswerHandler IGNORED = () -> Use.CAPTURE;

  /** For the end of a transaction: the client is told of the parameters that it gives back. */
  public static final AnswerHandler END =
      new AnswerHandler() {
        @Override
        public Use use() {
          return Use.CAPTURE;
        }

        @Override
        public void message(
            ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
          passParameter(server, type, buffer, start, length);
        }
      };

  private static final int HEADER_LENGTH = 5;

  private boolean done;
  private @Nullable ServerConnection lostOn;
  private String tag = "";
  private @Nullable ErrorFields error;

  @Override
  public final Use use() {
    return Use.CAPTURE;
  }

  @Override
  public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
    if (type == 'E') {
      if (error == null) {
        error = error(server, buffer, start, length);
      }
    } else if (type == 'C') {
      tag = tag(buffer, start, length);
    }
  }

  /** Passes a ParameterStatus on to the client. */
  public static void passParameter(
      ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
    ServerUser user = server.user();
    if (type == 'S' && user != null) {
      user.forward(server, buffer, start, length);
    }
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    done = true;
  }

  @Override
  public void skipped(ServerConnection server) {
    done = true;
  }

  @Override
  public void lost(ServerConnection server) {
    lostOn = server;
    done = true;
  }

  public final boolean isDone() {
    return done;
  }

  public final boolean isLost() {
    return lostOn != null;
  }

  /**
   * Whether it is there.
   *
   * @throws StatementException if it is a failure
   */
  public final boolean hasSucceeded() {
    if (done) {
      throwFailure();
    }
    return done;
  }

  /**
   * Whether all are there: a failure of one is told when the others have answered too.
   *
   * @throws StatementException the first failure in their order
   */
  public static boolean haveSucceeded(Collection<? extends CapturedAnswer> answers) {
    for (CapturedAnswer answer : answers) {
      if (!answer.done) {
        return false;
      }
    }
    for (CapturedAnswer answer : answers) {
      answer.throwFailure();
    }
    return true;
  }

  private void throwFailure() {
    if (error != null) {
      throw new StatementException(error);
    }
    if (lostOn != null) {
      throw StatementException.lostIn(lostOn);
    }
  }

  /** The latest command tag, "" if none came. */
  public final String tag() {
    return tag;
  }

  /** The first error, or null. */
  public final @Nullable ErrorFields error() {
    return error;
  }

  /** What the holder of that server is told of its ErrorResponse. */
  public static ErrorFields error(ServerConnection server, ByteBuf buffer, int start, int length) {
    ErrorFields error = error(buffer, start, length);
    ServerUser user = server.user();
    return user == null ? error : user.named(server, error);
  }

  /** The first value of a DataRow in text format, "" for NULL. */
  public static String firstColumn(ByteBuf buffer, int start, int length) {
    BodyReader row = body(buffer, start, length);
    int columns = row.int16();
    int bytes = columns == 0 ? 0 : Math.max(0, row.int32());
    return buffer.toString(row.index(), bytes, StandardCharsets.UTF_8);
  }

  public static String tag(ByteBuf buffer, int start, int length) {
    return body(buffer, start, length).string();
  }

  private static BodyReader body(ByteBuf buffer, int start, int length) {
    return new BodyReader("server message", buffer, start + HEADER_LENGTH, length - HEADER_LENGTH);
  }

  /** An ErrorResponse with all its fields. */
  private static ErrorFields error(ByteBuf buffer, int start, int length) {
    Map<Character, String> fields = new HashMap<>();
    BodyReader body = body(buffer, start, length);
    for (byte type = body.int8(); type != 0; type = body.int8()) {
      fields.put((char) type, body.string());
    }
    fields.remove('S');
    fields.remove('V');
    String code = fields.remove('C');
    String message = fields.remove('M');
    String detail = fields.remove('D');
    String hint = fields.remove('H');
    String position = fields.remove('P');
    return new ErrorFields(
        Severity.ERROR,
        code == null ? SqlState.INTERNAL_ERROR : new SqlState(code),
        message == null ? "" : message,
        detail,
        hint,
        position,
        fields);
  }
}
