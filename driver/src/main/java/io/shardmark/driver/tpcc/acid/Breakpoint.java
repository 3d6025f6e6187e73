package io.shardmark.driver.tpcc.acid;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where a transaction is to stop: before its COMMIT, or at one of its queries. The transaction's
 * thread arrives and waits; the thread of the test waits for that, and releases it.
 */
final class Breakpoint {
  /** How a transaction goes on. */
  enum Resume {
    CONTINUE,
    /** Instead of its COMMIT. */
    ROLL_BACK,
    /** The test has ended: it goes on no further. */
    ABANDON
  }

  /** On which side of the query the transaction stops. */
  enum BreakpointSide {
    BEFORE,
    /** After the query has been read; it is executed again when the transaction goes on. */
    AFTER
  }

  private static final String COMMIT = "COMMIT";

  private final String text;
  private final int occurrence;
  private final BreakpointSide side;
  private final CompletableFuture<Boolean> arrival = new CompletableFuture<>();
  private final CompletableFuture<Resume> release = new CompletableFuture<>();
  private int seen;

  private Breakpoint(String text, int occurrence, BreakpointSide side) {
    this.text = text;
    this.occurrence = occurrence;
    this.side = side;
  }

  static Breakpoint beforeCommit() {
    return new Breakpoint(COMMIT, 1, BreakpointSide.BEFORE);
  }

  /** Before the nth query that reads a table. */
  static Breakpoint beforeQuery(String table, int occurrence) {
    return new Breakpoint("FROM " + table, occurrence, BreakpointSide.BEFORE);
  }

  /** After the nth query that reads a table. */
  static Breakpoint afterQuery(String table, int occurrence) {
    return new Breakpoint("FROM " + table, occurrence, BreakpointSide.AFTER);
  }

  boolean isAtCommit() {
    return text.equals(COMMIT);
  }

  BreakpointSide side() {
    return side;
  }

  /** Called for each query in turn; true for the one at which the transaction stops. */
  boolean isAt(String query) {
    return !isAtCommit() && query.contains(text + " ") && ++seen == occurrence;
  }

  /**
   * The transaction's thread: has arrived, and waits.
   *
   * @throws AcidTestException if the test has ended
   */
  Resume await() {
    arrival.complete(true);
    Resume how = release.join();
    if (how == Resume.ABANDON) {
      throw new AcidTestException("the test has ended");
    }
    return how;
  }

  /** The transaction has ended, wherever it was. */
  void ended() {
    arrival.complete(false);
  }

  /** The test's thread: whether it neither arrives here nor ends within so many milliseconds. */
  boolean isAwaited(long millis) throws InterruptedException {
    try {
      arrival.get(millis, TimeUnit.MILLISECONDS);
      return false;
    } catch (TimeoutException e) {
      return true;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The test's thread: waits until the transaction has stopped here.
   *
   * @return false if it ended before
   * @throws AcidTestException if it does neither within the limit
   */
  boolean isReached(Duration limit) throws InterruptedException {
    if (isAwaited(limit.toMillis())) {
      throw new AcidTestException(
          "a transaction has neither stopped nor ended after %d s".formatted(limit.toSeconds()));
    }
    return arrival.join();
  }

  void resume(Resume how) {
    release.complete(how);
  }
}
