package io.shardmark.driver.measure;

import io.shardmark.driver.results.ErrorResult;
import java.time.Instant;
import java.util.List;

/**
 * Where the collector passes on what was measured: result files. Called on the collector thread
 * only, so slow work here delays everything after it. Must not throw: a sink that can no longer
 * write says so on its own and ignores the rest.
 */
public interface SampleSink {
  /** Nowhere: a run without result files. */
  SampleSink NONE = new SampleSink() {};

  /** Called once, before all else, on the thread that starts the collector. */
  default void begin(Instant intervalStart) {}

  /**
   * A transaction that ended in the measurement interval, about in order of completion.
   *
   * @param sample reused afterwards
   * @param elapsedNanos from the start of the interval to the end of the transaction
   */
  default void sample(Sample sample, long elapsedNanos) {}

  /**
   * One second of the interval is over. Every second comes, in order, without gaps.
   *
   * @param second from 0: the second that starts this long after the start of the interval
   * @param done in it; reused afterwards
   */
  default void second(long second, Snapshot done) {}

  /**
   * The errors that were raised in one second, tried again or not. Called after {@link #second} of
   * the same one, and only if there were any.
   */
  default void errors(long second, List<ErrorResult> errors) {}

  /** Make what came so far visible to readers of the files. Called about once a second. */
  default void flush() {}
}
