package io.shardmark.loader;

/**
 * Told how a load goes. Methods are called by worker threads at any time and must be quick and
 * thread-safe.
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
   * The first unit of a warehouse is taken up.
   *
   * @param worker from 0
   * @param warehouse 0 for the items
   */
  default void warehouseStarted(int worker, int warehouse) {}

  /** The last unit of a warehouse is complete: committed, or in the files. */
  default void warehouseDone(int worker, int warehouse) {}

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
