package io.shardmark.proxy.dialog;

import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ProtocolViolationException;

/** The kinds of answers that a server owes, by what was sent to it. */
public enum Expected {
  /** ParseComplete, BindComplete and CommandComplete of BEGIN. */
  BEGIN,
  /** ParseComplete. */
  PARSE,
  /** BindComplete. */
  BIND,
  /** ParameterDescription, then RowDescription or NoData. */
  DESCRIBE_STATEMENT,
  /** RowDescription or NoData. */
  DESCRIBE_PORTAL,
  /** Rows or COPY data, up to CommandComplete, EmptyQueryResponse or PortalSuspended. */
  EXECUTE,
  /** CloseComplete. */
  CLOSE,
  /** ReadyForQuery. */
  SYNC,
  /** Everything up to ReadyForQuery. */
  QUERY;

  /** Whether an error in the answer is followed by ReadyForQuery, and not by skipping to Sync. */
  boolean endsWithReady() {
    return this == SYNC || this == QUERY;
  }

  /**
   * Whether a message that belongs to the answer ends it (PG18 §54.2 protocol-flow).
   *
   * @throws ProtocolViolationException if it does not belong to it
   */
  boolean endsWith(BackendType type) {
    return switch (this) {
      case BEGIN ->
          switch (type) {
            case PARSE_COMPLETE, BIND_COMPLETE -> false;
            case COMMAND_COMPLETE -> true;
            default -> throw notDue(type);
          };
      case PARSE -> single(type, BackendType.PARSE_COMPLETE);
      case BIND -> single(type, BackendType.BIND_COMPLETE);
      case CLOSE -> single(type, BackendType.CLOSE_COMPLETE);
      case SYNC -> single(type, BackendType.READY_FOR_QUERY);
      case DESCRIBE_STATEMENT -> type != BackendType.PARAMETER_DESCRIPTION && description(type);
      case DESCRIBE_PORTAL -> description(type);
      case EXECUTE ->
          switch (type) {
            case COMMAND_COMPLETE, EMPTY_QUERY_RESPONSE, PORTAL_SUSPENDED -> true;
            case DATA_ROW, COPY_IN_RESPONSE, COPY_OUT_RESPONSE, COPY_DATA, COPY_DONE -> false;
            default -> throw notDue(type);
          };
      case QUERY ->
          switch (type) {
            case READY_FOR_QUERY -> true;
            case COMMAND_COMPLETE,
                EMPTY_QUERY_RESPONSE,
                ROW_DESCRIPTION,
                DATA_ROW,
                COPY_IN_RESPONSE,
                COPY_OUT_RESPONSE,
                COPY_DATA,
                COPY_DONE,
                NO_DATA,
                FUNCTION_CALL_RESPONSE ->
                false;
            default -> throw notDue(type);
          };
    };
  }

  private boolean single(BackendType type, BackendType due) {
    if (type != due) {
      throw notDue(type);
    }
    return true;
  }

  private boolean description(BackendType type) {
    return type == BackendType.NO_DATA || single(type, BackendType.ROW_DESCRIPTION);
  }

  private ProtocolViolationException notDue(BackendType type) {
    return new ProtocolViolationException(type.messageName() + " where " + this + " is due");
  }
}
