package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What a server answered to something that the proxy asked for itself: the outcome, no rows. */
public class CapturedAnswer implements AnswerHandler {
  /** For what cannot fail, or whose failure shows in what follows. */
  public static final AnswerHandler IGNORED = () -> AnswerHandler.HandlerUse.CAPTURE;

  private boolean done;
  private @Nullable ServerConnection lostOn;
  private String tag = "";
  private @Nullable ErrorFields error;

  @Override
  public final AnswerHandler.HandlerUse use() {
    return AnswerHandler.HandlerUse.CAPTURE;
  }

  @Override
  public void message(ServerConnection server, Message message) {
    if (message.type() == BackendType.ERROR_RESPONSE) {
      if (error == null) {
        error = error(server, message);
      }
    } else if (message.type() == BackendType.COMMAND_COMPLETE) {
      tag = tag(message);
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
   * Whether all are there: a failure of one is reported when the others have answered too.
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

  /** The answer cannot be used, though the server reports no error. */
  protected final void fail(ErrorFields refusal) {
    error = refusal;
  }

  /** Waits for one more answer of the same kind. */
  protected void expectAnother() {
    done = false;
  }

  /** The first error, or null. */
  public final @Nullable ErrorFields error() {
    return error;
  }

  /** What the holder of that server learns of its ErrorResponse. */
  public static ErrorFields error(ServerConnection server, Message message) {
    ErrorFields error = ErrorFields.read(message);
    ServerUser user = server.user();
    return user == null ? error : user.named(server, error);
  }

  /** The type oids of a ParameterDescription. */
  public static int[] parameterTypes(Message message) {
    BodyReader body = message.fields();
    int[] types = new int[body.count("parameters", Integer.BYTES)];
    for (int i = 0; i < types.length; i++) {
      types[i] = body.int32();
    }
    return types;
  }

  /** The number of rows at the end of a command tag, or -1 if none is there. */
  public static long rowCount(String tag) {
    int space = tag.lastIndexOf(' ');
    String number = tag.substring(space + 1);
    boolean counts = space > 0 && !number.isEmpty() && number.chars().allMatch(Character::isDigit);
    return counts ? Long.parseLong(number) : -1;
  }

  /** The tag of a CommandComplete. */
  public static String tag(Message message) {
    return message.fields().string();
  }
}
