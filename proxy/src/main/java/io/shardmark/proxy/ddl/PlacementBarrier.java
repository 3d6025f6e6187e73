package io.shardmark.proxy.ddl;

import io.shardmark.proxy.ddl.PlacementChanges.Change;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this proxy's clients off the tables that a transaction moves while it commits, here or
 * through another proxy: no statement begins any more, and those under way end before the COMMIT.
 * Those wait for the transaction's own locks perhaps, so after a moment they are cancelled: they
 * were planned with a map that will not be that of the tables when they get the locks. Belongs to
 * one thread.
 */
public final class PlacementBarrier {
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration CANCEL_AGAIN = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final long LOOK_MILLIS = 5;

  private final PlacementChanges changes;
  private final Set<String> tables;
  private final Waiting owner;
  private @Nullable Change change;
  private boolean looking;
  private boolean clear;
  private boolean late;
  private long beginNanos;
  private long cancelAtNanos;

  /**
   * Who waits.
   *
   * @param loop the thread that the barrier belongs to
   * @param own statements that may go on, or none
   * @param proceed goes on, on that thread
   */
  public record Waiting(
      ScheduledExecutorService loop, @Nullable StatementsUnderWay own, Runnable proceed) {}

  /**
   * @param tables names without schema; none: nothing is kept off
   */
  public PlacementBarrier(PlacementChanges changes, Set<String> tables, Waiting owner) {
    this.changes = changes;
    this.tables = Set.copyOf(tables);
    this.owner = owner;
    this.clear = this.tables.isEmpty();
  }

  /**
   * Whether no statement of others is under way; the owner goes on when it is so.
   *
   * @throws StatementException if that takes too long
   */
  public boolean isClear() {
    if (late) {
      throw new StatementException(
          SqlState.LOCK_NOT_AVAILABLE,
          "statements on tables that the transaction has moved do not end: "
              + String.join(", ", tables),
          "Run the transaction again.");
    }
    if (!clear && !looking) {
      begin();
      looking = true;
      beginNanos = System.nanoTime();
      cancelAtNanos = beginNanos + PATIENCE.toNanos();
      look();
    }
    return clear;
  }

  /** Lets no statement begin from now on. */
  public void begin() {
    if (change == null && !tables.isEmpty()) {
      change = changes.begin(tables);
    }
  }

  private void look() {
    long now = System.nanoTime();
    boolean cancel = now - cancelAtNanos >= 0;
    if (cancel) {
      cancelAtNanos = now + CANCEL_AGAIN.toNanos();
    }
    List<PlacementChanges.Loop> loops = changes.loops();
    AtomicInteger asked = new AtomicInteger(loops.size());
    AtomicInteger found = new AtomicInteger();
    for (PlacementChanges.Loop each : loops) {
      each.executor()
          .execute(
              () -> {
                try {
                  found.addAndGet(underWay(each, cancel));
                } finally {
                  if (asked.decrementAndGet() == 0) {
                    owner.loop().execute(() -> looked(found.get()));
                  }
                }
              });
    }
  }

  /** How many sessions of a loop have statements under way; on that loop. */
  private int underWay(PlacementChanges.Loop loop, boolean cancel) {
    int count = 0;
    for (StatementsUnderWay other : loop.statements()) {
      if (!other.equals(owner.own()) && other.mention(tables)) {
        count++;
        if (cancel) {
          other.cancel();
        }
      }
    }
    return count;
  }

  private void looked(int found) {
    clear = found == 0;
    late = !clear && System.nanoTime() - beginNanos > LIMIT.toNanos();
    if (clear || late) {
      owner.proceed().run();
    } else {
      var unused = owner.loop().schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** What keeps statements from beginning; null if nothing does. */
  public @Nullable Change change() {
    return change;
  }
}
