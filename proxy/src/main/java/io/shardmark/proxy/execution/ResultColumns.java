package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What a server says of a statement's parameters and of the columns of its result, as numbers. An
 * error is the client's.
 */
public final class ResultColumns implements AnswerHandler {
  /** Nothing has been said. */
  public static final long UNKNOWN = 0;

  /** The statement gives no rows. */
  public static final long NONE = 1;

  /** OIDs from here on are of types that somebody has made, and differ between shards. */
  private static final int FIRST_OWN_TYPE = 16_384;

  private static final long FACTOR = 0x100000001B3L; // of FNV-1a with 64 bits

  private enum QuestionState {
    AWAITED,
    /** The server has said all, or skipped the question. */
    OVER,
    /** The connection is gone. */
    LOST
  }

  private final BiConsumer<ServerConnection, ResultColumns> reader;
  private QuestionState state = QuestionState.AWAITED;
  private long columns = UNKNOWN;
  private long parameters = FACTOR;
  private long exact = UNKNOWN;

  /**
   * @param reader gets it when the server has said all, unless that is an error
   */
  public ResultColumns(BiConsumer<ServerConnection, ResultColumns> reader) {
    this.reader = reader;
  }

  @Override
  public AnswerHandler.HandlerUse use() {
    return AnswerHandler.HandlerUse.READ;
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    state = QuestionState.OVER;
    reader.accept(server, this);
  }

  @Override
  public void skipped(ServerConnection server) {
    state = QuestionState.OVER;
  }

  @Override
  public void lost(ServerConnection server) {
    state = QuestionState.LOST;
  }

  /** Whether nothing more comes. */
  public boolean isOver() {
    return state != QuestionState.AWAITED;
  }

  public boolean isLost() {
    return state == QuestionState.LOST;
  }

  @Override
  public void message(ServerConnection server, Message message) {
    if (message.type() == BackendType.PARAMETER_DESCRIPTION) {
      int end = message.start() + message.length();
      for (int at = message.start(); at < end; at++) {
        parameters = FACTOR * (parameters ^ message.buffer().getByte(at));
      }
    } else if (message.type() == BackendType.ROW_DESCRIPTION) {
      List<RowField> fields = RowField.readAll(message);
      columns = of(fields);
      exact = FACTOR * (parameters ^ fields.hashCode());
    } else if (message.type() == BackendType.NO_DATA) {
      columns = NONE;
      exact = FACTOR * (parameters ^ NONE);
    }
  }

  /** Another number if PostgreSQL would take the columns for others; the same on all shards. */
  public long columns() {
    return columns;
  }

  /** Another number if the statement means other types or columns on this shard. */
  public long exact() {
    return exact;
  }

  private static long of(List<RowField> fields) {
    long all = FACTOR;
    for (RowField field : fields) {
      int type = Integer.compareUnsigned(field.typeOid(), FIRST_OWN_TYPE) < 0 ? field.typeOid() : 0;
      all = FACTOR * (all ^ field.name().hashCode());
      all = FACTOR * (all ^ type);
      all = FACTOR * (all ^ field.typeSize());
      all = FACTOR * (all ^ field.typeModifier());
    }
    return all;
  }
}
