package io.shardmark.driver.adversity;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Something that a process of an embedded database suffers for a time.
 *
 * @param begin before that time
 * @param end after it, also if the run is over before
 */
record PartEvent(Runnable begin, Duration length, Runnable end, CountDownLatch over)
    implements EventAction {
  PartEvent(Runnable begin, Duration length, Runnable end) {
    this(begin, length, end, new CountDownLatch(1));
  }

  @Override
  public String run() throws InterruptedException {
    if (over.getCount() > 0) {
      begin.run();
      try {
        over.await(length.toNanos(), TimeUnit.NANOSECONDS);
      } finally {
        end.run();
      }
    }
    return "";
  }

  @Override
  public void cancel() {
    over.countDown();
  }
}
