package io.shardmark.proxy.ddl;

import io.shardmark.proxy.ddl.PlacementChanges.Change;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the COMMIT of a transaction that has moved tables waits for: no client of this proxy has a
 * statement on them under way, and none of any other proxy. Belongs to the session's event loop.
 */
public final class PlacementMove {
  private final Execution execution;
  private final PlacementChanges changes;
  private final Set<String> tables;
  private final PlacementBarrier barrier;
  private final @Nullable OtherProxies others;
  private final int number = 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
  private @Nullable Broadcast mark;
  private boolean asked;
  private boolean ended;

  /** Of the other proxies; "" if they keep off. */
  private @Nullable String answer;

  /**
   * @param own statements of the client that commits
   * @param tables names without schema; none: nothing is kept off
   */
  public PlacementMove(
      Execution execution, PlacementChanges changes, StatementsUnderWay own, Set<String> tables) {
    this.execution = execution;
    this.changes = changes;
    this.tables = Set.copyOf(tables);
    this.others = changes.others();
    this.barrier =
        new PlacementBarrier(
            changes,
            this.tables,
            new PlacementBarrier.Waiting(execution.loop(), own, execution::proceed));
  }

  /**
   * Whether the COMMIT may begin; the session goes on when it is so. All servers are quiet.
   *
   * @throws StatementException if it must not
   */
  public boolean isAlone() {
    return barrier.isClear() && (barrier.change() == null || others == null || keptOffBy(others));
  }

  private boolean keptOffBy(OtherProxies others) {
    if (mark == null) {
      mark =
          Broadcast.of(
              execution.output(), execution.participants().enlisted(), others.mark(number));
    }
    if (!mark.advance()) {
      return false;
    }
    if (!asked) {
      asked = true;
      others.keepOff(number, tables, said -> execution.loop().execute(() -> answered(said)));
    }
    if (answer != null && !answer.isEmpty()) {
      throw new StatementException(
          SqlState.LOCK_NOT_AVAILABLE,
          "the transaction has moved tables, and another proxy does not keep off them: " + answer,
          "Run the transaction again.");
    }
    return answer != null;
  }

  private void answered(String said) {
    answer = said;
    execution.proceed();
  }

  /** The transaction has committed, and the map has been read since. */
  public void shown() {
    end(Runnable::run);
  }

  /** The transaction is over, however it has ended: statements go on when the map shows it. */
  public void over(SchemaChanges catalogs) {
    end(catalogs);
  }

  /** With other proxies a shard may also end it later, on behalf of recovery. */
  private void end(SchemaChanges alone) {
    Change change = barrier.change();
    if (change == null || ended) {
      return;
    }
    ended = true;
    if (asked && others != null) {
      others.whenOver(number, change);
    } else {
      alone.changed(() -> changes.end(change));
    }
  }
}
