package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.shardmark.proxy.Await;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * {@code @ExtendWith(LeakCheck.class)}: every buffer is watched while the tests of the class run,
 * and the class fails if one was garbage before it was released.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final int ROUNDS = 2;

  /** Those under way: Netty has one level and one listener for all of them. */
  private static final Set<LeakCheck> RUNNING = new CopyOnWriteArraySet<>();

  private static Level levelWithoutCheck = Level.DISABLED;

  private final List<String> leaks = new CopyOnWriteArrayList<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    List<String> found = finish();
    if (!found.isEmpty()) {
      throw new AssertionError(found.size() + " buffers leaked: " + found.get(0));
    }
  }

  /** From now on. Checks may overlap, and end in any order. */
  public void start() {
    synchronized (RUNNING) {
      if (RUNNING.isEmpty()) {
        levelWithoutCheck = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(Level.PARANOID);
        ByteBufUtil.setLeakListener(
            (type, records) -> RUNNING.forEach(check -> check.leaks.add(type + records)));
      }
      RUNNING.add(this);
    }
  }

  /** Everything that has leaked since the start, to whichever check it belongs. */
  public List<String> finish() throws InterruptedException {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        collectGarbage();
      }
      // Netty looks for leaked buffers when it makes one.
      ByteBufAllocator.DEFAULT.directBuffer(1).release();
      ByteBufAllocator.DEFAULT.heapBuffer(1).release();
    } finally {
      end();
    }
    return List.copyOf(leaks);
  }

  private void end() {
    synchronized (RUNNING) {
      RUNNING.remove(this);
      if (RUNNING.isEmpty()) {
        ByteBufUtil.setLeakListener(null);
        ResourceLeakDetector.setLevel(levelWithoutCheck);
      }
    }
  }

  /** Returns when an object that was garbage at the start has been found to be so. */
  private static void collectGarbage() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> marker = new WeakReference<>(new Object(), queue);
    Await.until(
        "the garbage collector runs",
        () -> {
          System.gc();
          return queue.remove(100) == marker;
        });
  }
}
