package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.ErrorFields;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a session does for its client over several turns of the event loop: one step at a time. */
final class SessionWork {
  private final Consumer<ErrorFields> failed;
  private @Nullable ExecutionStep step;

  /**
   * @param failed called when a step fails
   */
  SessionWork(Consumer<ErrorFields> failed) {
    this.failed = failed;
  }

  /** The present one, or null. */
  @Nullable ExecutionStep step() {
    return step;
  }

  /** No message is taken until it is done. */
  void begin(ExecutionStep work) {
    step = work;
  }

  /** Goes on with the present step, and with those it leads to. */
  void run() {
    ExecutionStep before;
    do {
      before = step;
      advance();
    } while (step != null && step != before);
  }

  private void advance() {
    ExecutionStep work = step;
    if (work == null) {
      return;
    }
    try {
      if (work.advance() && step == work) {
        step = null;
      }
    } catch (StatementException e) {
      work.abandon();
      if (step == work) {
        step = null;
      }
      failed.accept(e.fields());
    }
  }

  /** Nobody waits for the present step any more. */
  void drop() {
    ExecutionStep dropped = step;
    step = null;
    if (dropped != null) {
      dropped.abandon();
    }
  }
}
