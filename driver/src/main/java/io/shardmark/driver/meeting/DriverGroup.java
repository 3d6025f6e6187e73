package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The drivers of one run, as one of them sees them; of others that it never hears of, unless a
 * method says something else. Methods are for the thread of the run, in the order in which they are
 * on this thread; {@link #requestStop} and {@link #isStopped} are for any.
 */
public interface DriverGroup extends AutoCloseable {
  /**
   * Where lines for users go; on any thread.
   *
   * @param info what happens
   * @param error what goes wrong
   */
  record Messages(Consumer<String> info, Consumer<String> error) {}

  /** What driver 0 decided, or what follows from the properties if nobody is asked. */
  GroupTerms terms();

  /** This driver cannot take part: writes the reason for the others, so that none starts. */
  default void refuse(String reason) {}

  /**
   * What to do when one of the drivers is to end.
   *
   * @param end takes the instant of {@link System#nanoTime()} at which the interval ends; on any
   *     thread
   */
  void onStop(LongConsumer end);

  /**
   * Says that this driver can start, and waits until all can.
   *
   * @return an instant in the future
   * @throws ConfigException if there will be no run
   */
  StartInstant awaitStart() throws InterruptedException;

  /**
   * Waits for that instant.
   *
   * @throws ConfigException if a driver was lost before that instant, which cancels the run
   */
  void awaitInstant(StartInstant instant) throws InterruptedException;

  /** This driver is to end: all will, at one instant. Returns at once. */
  void requestStop(String reason);

  /** True if the run was ended before its time. */
  boolean isStopped();

  /** How far this process's clock went away from the common one since the start, if known. */
  default OptionalLong driftNanos() {
    return OptionalLong.empty();
  }

  /** What became of another driver. */
  enum Fate {
    /** It has said that its result is written. */
    DONE,
    /** It has not said so yet. */
    GOING_ON,
    /** It left, or was not heard of any more. */
    LOST
  }

  /**
   * Another driver, when this one has ended.
   *
   * @param place where its result is, if it is done
   */
  record Other(DriverIdentity identity, Fate fate, String place) {}

  /**
   * Says that this driver's result is written. Driver 0 waits for the others to say so too.
   *
   * @param directory of this driver's result
   * @return the other drivers, as far as this one knows of them
   */
  default List<Other> finish(Path directory) throws InterruptedException {
    return List.of();
  }

  /** Leaves the group. */
  @Override
  default void close() {}
}
