package io.shardmark.driver.oscollector;

import java.io.IOException;

/** Where snapshots come from. One thread takes them; another may close the source meanwhile. */
interface SnapshotSource extends AutoCloseable {
  /**
   * Takes a snapshot now.
   *
   * @throws IOException if the machine cannot be asked at present; the next call tries again
   */
  MachineCounters take() throws IOException;

  /** Ends a {@code take} that is waiting, and lets go of what is held. */
  @Override
  void close();
}
