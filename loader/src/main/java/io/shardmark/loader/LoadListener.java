package io.shardmark.loader;

/**
 * Receives the progress of a load. Methods are called by worker threads at any time and must be
 * quick and thread-safe.
 */
public interface LoadListener {
  /** Hears nothing. */
  LoadListener NONE = new LoadListener() {};

  /**
   * The load starts.
   *
   * @param expectedRows about how many rows are still to be written
   */
  default void loadStarted(long expectedRows) {}

  /**
   * The first unit of a partition is taken up.
   *
   * @param worker from 0
   * @param name of the partition
   */
  default void partitionStarted(int worker, String name) {}

  /** The last unit of a partition is complete: committed, or in the files. */
  default void partitionDone(int worker, String name) {}

  /** Rows of a unit are complete. */
  default void rowsDone(long rows) {}

  /** A worker failed; the others stop. */
  default void workerFailed(int worker, Throwable failure) {}

  /** Something the user should know, in one line. */
  default void note(String line) {}

  /** All rows are there. */
  default void loadCompleted() {}

  /** The load has ended, well or not. */
  default void loadEnded() {}
}
