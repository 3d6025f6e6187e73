package io.shardmark.proxy.session;

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

  ErrorFields fields() {
    return fields;
  }
}
