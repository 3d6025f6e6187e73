package io.shardmark.proxy.execution;

import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;

/** The statement fails with an error of the proxy's own. */
public final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ErrorFields fields;

  public StatementException(ErrorFields fields) {
    super(fields.message(), null, false, false);
    this.fields = fields;
  }

  public StatementException(SqlState state, String message) {
    this(ErrorFields.error(state, message));
  }

  public StatementException(SqlState state, String message, String hint) {
    this(ErrorFields.error(state, message).withHint(hint));
  }

  /** The answer to a client whose statement was on this lost connection. */
  public static StatementException lostIn(ServerConnection server) {
    return new StatementException(
        LostWork.without(server)
            .error(
                server.isReplicated(),
                "connection to shard "
                    + server.shardName()
                    + " lost in the middle of the statement"));
  }

  /** The rows of several shards cannot be merged. */
  public static StatementException of(MergeRefusedException refused) {
    return new StatementException(
        refused.sqlState(), String.valueOf(refused.getMessage()), refused.hint());
  }

  /** The same without a place in a text that the client has not written. */
  public StatementException withoutPosition() {
    return new StatementException(fields.withoutPosition());
  }

  public ErrorFields fields() {
    return fields;
  }
}
