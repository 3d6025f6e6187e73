package io.shardmark.proxy.faults;

/** A place in the commit of a transaction over two shards, as the bytes on the wire show it. */
enum CommitPoint {
  CLIENT_COMMIT_UNDELIVERED(Message.CLIENT_COMMIT, Moment.REQUEST),
  PREPARE_UNDELIVERED(Message.PREPARE, Moment.REQUEST),
  PREPARE_DONE_UNANSWERED(Message.PREPARE, Moment.ANSWER),
  DECISION_UNDELIVERED(Message.DECISION, Moment.REQUEST),
  DECISION_DONE_UNANSWERED(Message.DECISION, Moment.ANSWER),
  COMMIT_PREPARED_UNDELIVERED(Message.COMMIT_PREPARED, Moment.REQUEST),
  COMMIT_PREPARED_DONE_UNANSWERED(Message.COMMIT_PREPARED, Moment.ANSWER),
  CLIENT_UNANSWERED(Message.CLIENT_COMMIT, Moment.ANSWER),
  CLIENT_ANSWERED(Message.CLIENT_COMMIT, Moment.DELIVERED);

  /** Which statement. */
  enum Message {
    CLIENT_COMMIT,
    PREPARE,
    DECISION,
    COMMIT_PREPARED
  }

  /** Where it is: on its way there, its answer on the way back, or its answer delivered. */
  enum Moment {
    REQUEST,
    ANSWER,
    DELIVERED
  }

  private final Message message;
  private final Moment moment;

  CommitPoint(Message message, Moment moment) {
    this.message = message;
    this.moment = moment;
  }

  Message message() {
    return message;
  }

  Moment moment() {
    return moment;
  }
}
