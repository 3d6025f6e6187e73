package io.shardmark.proxy.session;

import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;

/** The statement fails with an error of the proxy's own. */
final class StatementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ErrorFields fields;

  StatementException(ErrorFields fields) {
    super(fields.message(), null, false, false);
    this.fields = fields;
  }

  StatementException(SqlState state, String message) {
    this(ErrorFields.error(state, message));
  }

  StatementException(SqlState state, String message, String hint) {
    this(ErrorFields.error(state, message).withHint(hint));
  }

  /** The rows of several shards cannot be merged. */
  static StatementException of(MergeRefusedException refused) {
    SqlState state = new SqlState(refused.sqlState());
    return new StatementException(state, String.valueOf(refused.getMessage()), refused.hint());
  }

  ErrorFields fields() {
    return fields;
  }
}
