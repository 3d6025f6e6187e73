package io.shardmark.proxy.ddl;

import io.shardmark.proxy.routing.ChangedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * Changes of where tables' rows are that are being committed through this proxy: from before the
 * COMMIT until the shard map shows them, or the transaction has failed. Statements on those tables
 * wait meanwhile, since the map is not yet, or no longer, that of the tables. Thread-safe; shared
 * by all event loops.
 */
public final class PlacementChanges {
  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile List<Change> underWay = List.of();

  /**
   * One transaction's.
   *
   * @param tables their names without schema
   */
  public record Change(Set<String> tables) {
    public Change {
      tables = Set.copyOf(tables);
    }
  }

  /** The sessions of an event loop. */
  public interface Loop {
    Executor executor();

    /** What the sessions of now have under way; on the loop. */
    List<StatementsUnderWay> statements();
  }

  /** A loop whose sessions use the tables. */
  public void join(Loop loop) {
    loops.add(loop);
  }

  public List<Loop> loops() {
    return loops;
  }

  /**
   * Whether a statement must not begin now. If so, the caller is woken when one of the changes is
   * over, and asks again.
   *
   * @param wake runs on any thread; must not block
   */
  public boolean holds(String sql, Runnable wake) {
    // Nearly always empty: all that a statement pays is this one look.
    return !underWay.isEmpty() && holdsNow(sql, wake);
  }

  private synchronized boolean holdsNow(String sql, Runnable wake) {
    boolean held =
        underWay.stream().anyMatch(change -> ChangedTables.mentions(sql, change.tables()));
    if (held) {
      waiting.add(wake);
    }
    return held;
  }

  public synchronized Change begin(Set<String> tables) {
    Change change = new Change(tables);
    List<Change> more = new ArrayList<>(underWay);
    more.add(change);
    underWay = List.copyOf(more);
    return change;
  }

  @SuppressWarnings("ReferenceEquality") // two may be of the same tables
  public void end(Change change) {
    List<Runnable> woken;
    synchronized (this) {
      underWay = underWay.stream().filter(other -> other != change).toList();
      woken = List.copyOf(waiting);
      waiting.clear();
    }
    woken.forEach(Runnable::run);
  }
}
