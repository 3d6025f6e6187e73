package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * {@code @ExtendWith(LeakCheck.class)}: every buffer is watched while the tests of the class run,
 * and the class fails if one was garbage before it was released.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final int ROUNDS = 2;
  private static final long MAX_WAIT_SECONDS = 30;

  private final List<String> leaks = new CopyOnWriteArrayList<>();
  private Level before = Level.DISABLED;

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

  /** From now on. */
  public void start() {
    before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(Level.PARANOID);
    ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
  }

  /** Everything that has leaked since the start. */
  public List<String> finish() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      collectGarbage();
    }
    // Netty looks for leaked buffers when it makes one.
    ByteBufAllocator.DEFAULT.directBuffer(1).release();
    ByteBufAllocator.DEFAULT.heapBuffer(1).release();
    ByteBufUtil.setLeakListener(null);
    ResourceLeakDetector.setLevel(before);
    return List.copyOf(leaks);
  }

  /** Returns when an object that was garbage at the start has been found to be so. */
  private static void collectGarbage() throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> marker = new WeakReference<>(new Object(), queue);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
    System.gc();
    while (queue.remove(100) != marker) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the garbage collector does not run");
      }
      System.gc();
    }
  }
}
