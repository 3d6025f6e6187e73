package io.shardmark.driver.oscollector;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Another source, and a way to wait until it gave a number of snapshots. */
final class CountedSource implements SnapshotSource {
  private final SnapshotSource source;
  private final CountDownLatch wanted;

  CountedSource(SnapshotSource source, int snapshots) {
    this.source = source;
    this.wanted = new CountDownLatch(snapshots);
  }

  @Override
  public MachineCounters take() throws IOException {
    MachineCounters snapshot = source.take();
    wanted.countDown();
    return snapshot;
  }

  /** Whether all wanted snapshots were given in a time that only a hang takes. */
  boolean await() throws InterruptedException {
    return wanted.await(4, TimeUnit.MINUTES);
  }

  @Override
  public void close() {
    source.close();
  }
}
