package io.shardmark.driver.acid;

import java.io.IOException;

/** A way to make a part of the system under test fail, and to bring it back. */
public interface Crash {
  /** What fails, such as {@code shard s2}. */
  String name();

  /**
   * Makes it fail, as a loss of power would: nothing is shut down.
   *
   * @throws IOException if that cannot be done
   */
  void crash() throws IOException, InterruptedException;

  /**
   * Brings it back; returns when that has been asked for or is done.
   *
   * @throws IOException if that cannot be done
   */
  void restart() throws IOException, InterruptedException;
}
