package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.ErrorFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Changes of where tables' rows are that are being committed, through this proxy or another one:
 * from before the COMMIT until the shard map shows them, or the transaction has failed. Statements
 * on those tables wait meanwhile, since the map is not yet, or no longer, that of the tables.
 * Thread-safe; shared by all event loops.
 */
public final class PlacementChanges {
  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile List<PlacementChange> underWay = List.of();
  private volatile @Nullable MoveAgreement agreement;

  /** One transaction's. */
  public static final class PlacementChange {
    private final Hold hold;

    /** The error of statements that shall not wait any more. */
    private volatile @Nullable ErrorFields refusal;

    private PlacementChange(Hold hold) {
      this.hold = hold;
    }
  }

  /** The sessions of an event loop. */
  public interface Loop {
    Executor executor();

    /** What the present sessions have under way; on the loop. */
    List<StatementsUnderWay> statements();
  }

  /** A loop whose sessions use the tables. */
  public void join(Loop loop) {
    loops.add(loop);
  }

  public List<Loop> loops() {
    return loops;
  }

  /** By what moves of tables are agreed on from now on. */
  public void agreeBy(MoveAgreement all) {
    agreement = all;
  }

  /** Null if tables cannot move: with one shard. */
  @Nullable MoveAgreement agreement() {
    return agreement;
  }

  /**
   * Whether a statement must not begin now. If so, the caller is woken when one of the changes is
   * over, and asks again.
   *
   * @param owner of the statement
   * @param wake runs on any thread; must not block
   * @throws StatementException if it is not known when that will be
   */
  boolean holds(String sql, StatementsUnderWay.StatementOwner owner, Runnable wake) {
    // Nearly always empty: all that a statement pays is this one look.
    return !underWay.isEmpty() && holdsNow(sql, owner, wake);
  }

  private synchronized boolean holdsNow(
      String sql, StatementsUnderWay.StatementOwner owner, Runnable wake) {
    List<PlacementChange> holding =
        underWay.stream().filter(change -> change.hold.keepsBack(sql, owner)).toList();
    Optional<ErrorFields> refusal =
        holding.stream().flatMap(change -> Optional.ofNullable(change.refusal).stream()).findAny();
    if (refusal.isPresent()) {
      throw new StatementException(refusal.get());
    }
    if (!holding.isEmpty()) {
      waiting.add(wake);
    }
    return !holding.isEmpty();
  }

  public synchronized PlacementChange begin(Hold hold) {
    PlacementChange change = new PlacementChange(hold);
    List<PlacementChange> more = new ArrayList<>(underWay);
    more.add(change);
    underWay = List.copyOf(more);
    return change;
  }

  /** The map shows it now, or it has not come about. */
  public void end(PlacementChange change) {
    wake(() -> underWay = underWay.stream().filter(other -> !other.equals(change)).toList());
  }

  /** What waits for the end of the change fails, and what comes, until it ends. */
  public void refuse(PlacementChange change, ErrorFields why) {
    wake(() -> change.refusal = why);
  }

  private void wake(Runnable after) {
    List<Runnable> woken;
    synchronized (this) {
      after.run();
      woken = List.copyOf(waiting);
      waiting.clear();
    }
    woken.forEach(Runnable::run);
  }
}
