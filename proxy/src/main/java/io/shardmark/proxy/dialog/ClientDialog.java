package io.shardmark.proxy.dialog;

import io.shardmark.proxy.protocol.FrontendType;
import org.jspecify.annotations.Nullable;

/**
 * What one client is in the middle of, and how many ReadyForQuery it is owed. A Sync or Query is a
 * debt from the moment it is in hand, and only a ReadyForQuery pays it, whatever refuses what was
 * asked (PG18 §54.2.3 protocol-flow-ext-query): no error takes the debt away with the message.
 */
public final class ClientDialog {
  /** How far the pipeline has come since its last Sync. */
  public enum DialogProgress {
    /** No portal has been made on a server, and nothing is executed. */
    NOTHING_DONE,
    /** A portal has been made on a server. */
    BOUND,
    /** The proxy executes the first statement; it is done when the next message is taken. */
    EXECUTING,
    /** The same after a portal has been made on a server. */
    BOUND_EXECUTING,
    /**
     * A statement has been executed: outside of a transaction block, what follows is in one with it
     * (PG18 §54.2.4 protocol-flow-pipelining).
     */
    EXECUTED,
    /** An error: what comes before the next Sync is skipped. */
    SKIPPING,
    /** The same, and servers must undo what the pipeline did before the error, which is ours. */
    BROKEN_OFF;

    boolean skips() {
      return this == SKIPPING || this == BROKEN_OFF;
    }
  }

  /** What has become of a Query message, or a FunctionCall. */
  public enum QueryState {
    /** There is none, or a server answers it as a whole. */
    NONE,
    /** It is in hand. */
    TAKEN,
    /** The proxy executes its statements one by one. */
    RUNNING,
    /** A server has failed one of them: the others are not executed. */
    FAILED,
    /** Its end is under way, after which comes ReadyForQuery. */
    ENDING
  }

  /** Whether the client's session goes on. */
  public enum Lifetime {
    OPEN,
    /** It ends as soon as the client is idle. */
    DRAINING,
    /** The client is gone; a commit may still go on to its end. */
    CLOSED,
    /** Nothing goes on for the client any more. */
    OVER
  }

  /** What becomes of a message that is in hand. */
  public enum Reception {
    /** It means nothing: an error came before it. */
    SKIP,
    HANDLE
  }

  /** What comes after the ErrorResponse for an error of the proxy's own. */
  public enum AfterError {
    /** The Query ends, with ReadyForQuery. */
    END_QUERY,
    /** What the client has sent is skipped up to its Sync. */
    SKIP_TO_SYNC
  }

  /** What a Sync leads to. */
  public enum AtSync {
    /** The proxy undoes what the pipeline did, and answers. */
    ROLL_BACK,
    /** The proxy commits what the pipeline did, and answers. */
    COMMIT,
    /** The server that messages go to gets the Sync, and answers. */
    PASS_ON,
    /** The proxy answers at once. */
    ANSWER
  }

  private DialogProgress progress = DialogProgress.NOTHING_DONE;
  private QueryState query = QueryState.NONE;
  private Lifetime lifetime = Lifetime.OPEN;
  private @Nullable FrontendType inHand;

  /** The startup message is the first to be answered. */
  private int owed = 1;

  private long pipeline;

  /** The latest pipeline with a query that was bound on no single server; -1: none. */
  private long pipelineOfQuery = -1;

  public DialogProgress progress() {
    return progress;
  }

  public QueryState query() {
    return query;
  }

  public Lifetime lifetime() {
    return lifetime;
  }

  /** How many ReadyForQuery the client is owed. */
  public int owed() {
    return owed;
  }

  // ---- messages in ----

  /** A message is in hand: for the first time, or once more after it was held back. */
  public Reception take(FrontendType type) {
    if (inHand == null) {
      inHand = type;
      if (isAnsweredByReady(type)) {
        owed++;
      }
    }
    if (progress.skips() && type != FrontendType.SYNC) {
      ignored();
      return Reception.SKIP;
    }
    return Reception.HANDLE;
  }

  private static boolean isAnsweredByReady(FrontendType type) {
    return type == FrontendType.SYNC
        || type == FrontendType.QUERY
        || type == FrontendType.FUNCTION_CALL;
  }

  /** The message in hand is done with: nobody asks for it again. */
  public void taken() {
    inHand = null;
  }

  /** The same of one to which PostgreSQL itself gives no answer: it is skipped, or amid COPY. */
  public void ignored() {
    if (inHand != null && isAnsweredByReady(inHand)) {
      owed--;
    }
    if (query == QueryState.TAKEN) {
      query = QueryState.NONE; // it waited while a server failed what came before it
    }
    inHand = null;
  }

  /**
   * Whether the message in hand is still to be handled. After an error it is judged again: a Sync
   * is answered in any case.
   */
  public boolean isInHand() {
    return inHand != null;
  }

  /** A message of the extended protocol is handled: what the proxy executed before it is done. */
  public void beginMessage() {
    progress =
        switch (progress) {
          case EXECUTING, BOUND_EXECUTING -> DialogProgress.EXECUTED;
          case NOTHING_DONE, BOUND, EXECUTED, SKIPPING, BROKEN_OFF -> progress;
        };
  }

  /** A Bind goes to a server. */
  public void bindOnServer() {
    if (progress == DialogProgress.NOTHING_DONE) {
      progress = DialogProgress.BOUND;
    }
  }

  /** A query is bound for more than one server: PostgreSQL would take a snapshot for it. */
  public void bindQueryOfProxy() {
    pipelineOfQuery = pipeline;
  }

  /** An Execute goes to a server. */
  public void executeOnServer() {
    progress = DialogProgress.EXECUTED;
  }

  /** The proxy begins to execute a statement with which what follows is in one transaction. */
  public void executeOnProxy() {
    progress =
        switch (progress) {
          case NOTHING_DONE -> DialogProgress.EXECUTING;
          case BOUND -> DialogProgress.BOUND_EXECUTING;
          case EXECUTING, BOUND_EXECUTING, EXECUTED, SKIPPING, BROKEN_OFF -> progress;
        };
  }

  /**
   * A Sync is handled: the pipeline is over.
   *
   * @param implicit the pipeline is in a transaction that the proxy has begun for it
   * @param serverAnswers the server that messages go to has something to answer before it is ready
   */
  public AtSync sync(boolean implicit, boolean serverAnswers) {
    boolean brokenOff = progress == DialogProgress.BROKEN_OFF;
    endPipeline();
    if (brokenOff) {
      return AtSync.ROLL_BACK;
    }
    if (implicit) {
      return AtSync.COMMIT;
    }
    return serverAnswers ? AtSync.PASS_ON : AtSync.ANSWER;
  }

  private void endPipeline() {
    pipeline++;
    progress = DialogProgress.NOTHING_DONE;
  }

  /** The transaction is over: what follows is the first of another one. */
  public void transactionOver() {
    pipeline++;
    if (!progress.skips()) {
      progress = DialogProgress.NOTHING_DONE;
    }
  }

  // ---- Query messages ----

  /** A Query or FunctionCall is handled. */
  public void beginQuery() {
    query = QueryState.TAKEN;
  }

  /** A server answers it as a whole. */
  public void forwardQuery() {
    query = QueryState.NONE;
  }

  /** The proxy executes its statements one by one. */
  public void runQuery() {
    query = QueryState.RUNNING;
  }

  /** All its statements are done; it ends. */
  public void endQuery() {
    query = QueryState.ENDING;
  }

  // ---- answers and errors ----

  /**
   * A ReadyForQuery goes to the client.
   *
   * @throws IllegalStateException if none is owed
   */
  public void ready() {
    if (owed == 0) {
      throw new IllegalStateException("a ReadyForQuery that no message has asked for: " + this);
    }
    owed--;
    if (query == QueryState.ENDING) {
      query = QueryState.NONE;
    }
  }

  /**
   * An ErrorResponse of the proxy's own goes to the client.
   *
   * @param undo a server has executed something of the pipeline that it does not know the end of
   */
  public AfterError fail(boolean undo) {
    if (query != QueryState.NONE) {
      query = QueryState.ENDING;
      inHand = null;
      return AfterError.END_QUERY;
    }
    skip(undo);
    return AfterError.SKIP_TO_SYNC;
  }

  /**
   * An ErrorResponse of a server goes to the client.
   *
   * @param untilSync the server skips what it gets up to a Sync
   */
  public void serverFailed(boolean untilSync) {
    if (untilSync) {
      skip(false);
    }
    if (query == QueryState.RUNNING) {
      query = QueryState.FAILED;
    }
  }

  /** A server skips a Query that it has got, without a Sync, after what has failed. */
  public void skippedByServer() {
    owed--;
  }

  private void skip(boolean undo) {
    if (undo) {
      progress = DialogProgress.BROKEN_OFF;
    } else if (progress != DialogProgress.BROKEN_OFF) {
      progress = DialogProgress.SKIPPING;
    }
  }

  // ---- what follows from it ----

  /** Up to the next Sync all messages are skipped. */
  public boolean isSkipping() {
    return progress.skips();
  }

  /** A statement has been executed since the last Sync. */
  public boolean hasExecuted() {
    return progress == DialogProgress.EXECUTED;
  }

  /** A portal has been made on a server since the last Sync, and perhaps executed. */
  public boolean hasBound() {
    return progress == DialogProgress.BOUND
        || progress == DialogProgress.BOUND_EXECUTING
        || progress == DialogProgress.EXECUTED;
  }

  /** A server may end the implicit transaction that there is: nothing is in it. */
  public boolean holdsNothing() {
    return !hasBound();
  }

  /** PostgreSQL would have taken a snapshot in this pipeline, of which no shard knows. */
  public boolean hasQueried() {
    return pipelineOfQuery == pipeline;
  }

  /** Changes with each Sync and each end of a transaction. */
  public long pipeline() {
    return pipeline;
  }

  // ---- the end ----

  /** The session ends as soon as nothing is under way. */
  public void drain() {
    if (lifetime == Lifetime.OPEN) {
      lifetime = Lifetime.DRAINING;
    }
  }

  /** The client is gone. */
  public void close() {
    lifetime = Lifetime.CLOSED;
  }

  public boolean isClosed() {
    return lifetime == Lifetime.CLOSED || lifetime == Lifetime.OVER;
  }

  /** Nothing goes on any more; false if that was so before. */
  public boolean end() {
    boolean first = lifetime != Lifetime.OVER;
    lifetime = Lifetime.OVER;
    return first;
  }

  @Override
  public String toString() {
    return progress + ", query " + query + ", in hand " + inHand + ", owed " + owed;
  }
}
