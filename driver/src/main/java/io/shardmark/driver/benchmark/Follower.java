package io.shardmark.driver.benchmark;

import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Observes what follows from a run's transactions at other endpoints, such as what a standby has
 * applied. One object for each run; called by the main thread, but for {@link #recent}. What it
 * cannot observe is a note and has no figure.
 */
public interface Follower extends AutoCloseable {
  /**
   * Begins to observe, in its own thread. The first call.
   *
   * @param notes receives one line for each fault
   */
  void start(Consumer<String> notes);

  /**
   * The measurement interval has begun. Never waits.
   *
   * @param startNanos when; on a full machine this is called later
   */
  void beginInterval(long startNanos);

  /** The measurement interval ends now. Never waits. */
  void endInterval();

  /**
   * The last transaction has ended: waits for what still has to follow.
   *
   * @param stopped true once nobody wants to wait any longer
   */
  void awaitRest(BooleanSupplier stopped) throws InterruptedException;

  /** Figures of the last second or so, by name. Safe on any thread. */
  Map<String, Double> recent();

  /**
   * Figures of the run, by name; those of {@link MetricRule.Computation#OBSERVED} are the values of
   * the metrics of the same name. Complete after {@link #awaitRest}.
   */
  Map<String, Double> figures();

  @Override
  void close();
}
