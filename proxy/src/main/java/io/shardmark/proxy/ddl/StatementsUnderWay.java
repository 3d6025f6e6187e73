package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.ChangedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which statements of a session may be under way: those that have begun since nothing was. Belongs
 * to the session's event loop.
 */
public final class StatementsUnderWay {
  public static final ErrorFields MOVED =
      ErrorFields.error(
              SqlState.SERIALIZATION_FAILURE,
              "another transaction has changed where the rows of a table of the statement are")
          .withHint("Run the transaction again.");

  /** In a longer pipeline any statement may be under way. */
  private static final int MOST = 100;

  private final PlacementChanges changes;
  private final StatementOwner owner;
  private final Runnable wake;
  private final List<String> texts = new ArrayList<>(1);

  /** The session. */
  public interface StatementOwner {
    /** Goes on with what was held back. Any thread. */
    void wake();

    /** Whether nothing is under way that a statement has begun. */
    boolean hasNothingUnderWay();

    /**
     * Whether something is owed to the session, or it is in the middle of a pipeline or of work of
     * several turns.
     */
    boolean isBusy();

    /**
     * Whether a server is in a pipeline: up to its Sync it goes on with the tables that it has
     * looked up, whatever their names mean by then.
     */
    boolean isInPipeline();

    /** Whether its transaction has begun on a shard, or a pipeline of it. */
    boolean isInTransaction();

    /** What was cancelled before is over. */
    void forgetCancellation();

    /** Cancels what runs or waits, unless it is a commit; the client learns why. */
    void cancelBecause(ErrorFields why);
  }

  public StatementsUnderWay(PlacementChanges changes, StatementOwner owner) {
    this.changes = changes;
    this.owner = owner;
    this.wake = owner::wake;
  }

  /**
   * A statement is about to begin; false: not now, since a table that it names is being moved. The
   * session goes on when that is over.
   *
   * @throws StatementException if it cannot wait
   */
  public boolean begin(String sql) {
    if (changes.holds(sql, owner, wake)) {
      if (owner.isInPipeline()) {
        throw new StatementException(MOVED);
      }
      return false;
    }
    if (owner.hasNothingUnderWay()) {
      texts.clear();
      owner.forgetCancellation();
    }
    // What waits for a connection begins again and again.
    if (texts.size() <= MOST && (texts.isEmpty() || !texts.get(texts.size() - 1).equals(sql))) {
      texts.add(sql);
    }
    return true;
  }

  /** Whether a statement may be under way that names one of the tables. */
  public boolean mention(Set<String> tables) {
    return owner.isBusy()
        && (texts.size() > MOST
            || texts.stream().anyMatch(sql -> ChangedTables.mentions(sql, tables)));
  }

  /** Whether anything of the session is under way, a transaction between its statements too. */
  public boolean isAnything() {
    return owner.isBusy() || owner.isInTransaction();
  }

  /** They may wait for a lock of the transaction that moves the table, and would go wrong then. */
  public void cancel() {
    owner.cancelBecause(MOVED);
  }
}
