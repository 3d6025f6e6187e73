package io.shardmark.proxy.faults;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.faults.CommitPoint.Message;
import io.shardmark.proxy.faults.CommitPoint.Moment;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Waits for one message at one moment on any relay, and does something then, while that message is
 * held. Thread-safe.
 */
final class Trap {
  /** Whether the message that was held goes on its way. */
  enum Verdict {
    PASS,
    DROP
  }

  /**
   * What was held.
   *
   * @param relay name of the relay
   * @param transfer number of the load's transfer whose commit it is; -1 if it was not seen
   * @param text of the statement
   */
  record Catch(String relay, CommitPoint point, int transfer, String text) {}

  /** What is done while the message is held. */
  interface Action {
    Verdict strike(Catch held) throws IOException, SQLException, InterruptedException;
  }

  /**
   * A trap that is set.
   *
   * @param action runs on the relay's thread, before the message goes on
   */
  private record Armed(CommitPoint point, Action action, CompletableFuture<Catch> caught) {}

  private final AtomicReference<Optional<Armed>> armed = new AtomicReference<>(Optional.empty());

  CompletableFuture<Catch> arm(CommitPoint point, Action action) {
    CompletableFuture<Catch> caught = new CompletableFuture<>();
    armed.set(Optional.of(new Armed(point, action, caught)));
    return caught;
  }

  /** Whether the trap waits for the answer to that message. */
  boolean wantsAnswer(Message message) {
    return armed
        .get()
        .filter(trap -> trap.point().message() == message)
        .filter(trap -> trap.point().moment() != Moment.REQUEST)
        .isPresent();
  }

  /** A message is at a moment; springs the trap if it is the one. */
  Verdict at(String relay, Message message, Moment moment, int transfer, String text) {
    Optional<Armed> trap = armed.get();
    if (trap.isEmpty()
        || trap.get().point().message() != message
        || trap.get().point().moment() != moment
        || !armed.compareAndSet(trap, Optional.empty())) {
      return Verdict.PASS;
    }
    Catch caught = new Catch(relay, trap.get().point(), transfer, text);
    try {
      Verdict verdict = trap.get().action().strike(caught);
      trap.get().caught().complete(caught);
      return verdict;
    } catch (AssertionError
        | RuntimeException
        | IOException
        | SQLException
        | InterruptedException e) {
      trap.get().caught().completeExceptionally(e);
      return Verdict.DROP;
    }
  }

  static Catch await(CompletableFuture<Catch> caught) throws Exception {
    try {
      return Await.result(caught);
    } catch (TimeoutException e) {
      throw new AssertionError("the fault did not occur", e);
    }
  }
}
