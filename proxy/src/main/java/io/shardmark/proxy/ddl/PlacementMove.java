package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the COMMIT of a transaction that has moved tables waits for: no client of any proxy has a
 * statement on them under way. Belongs to the session's event loop.
 */
public final class PlacementMove {
  private final Execution execution;
  private final @Nullable MoveAgreement agreement;
  private final StatementsUnderWay own;
  private final Set<String> tables;
  private final int number = 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1);
  private @Nullable Broadcast mark;
  private boolean asked;

  /** Of all proxies; "" if they keep off. */
  private @Nullable String answer;

  /**
   * @param own statements of the client that commits
   * @param tables names without schema; none: nothing is kept off
   */
  public PlacementMove(
      Execution execution, PlacementChanges changes, StatementsUnderWay own, Set<String> tables) {
    this.execution = execution;
    this.agreement = changes.agreement();
    this.own = own;
    this.tables = Set.copyOf(tables);
  }

  /**
   * Whether the COMMIT may begin; the session goes on when it is so. All servers are quiet.
   *
   * @throws StatementException if it must not
   */
  public boolean isAlone() {
    MoveAgreement all = agreement;
    if (tables.isEmpty() || all == null) {
      return true;
    }
    if (mark == null) {
      mark =
          Broadcast.of(execution.output(), execution.participants().enlisted(), all.mark(number));
    }
    if (!mark.advance()) {
      return false;
    }
    if (!asked) {
      asked = true;
      all.keepOff(
          number,
          Hold.ofStatements(tables),
          own,
          said -> execution.loop().execute(() -> answered(said)));
    }
    if (answer != null && !answer.isEmpty()) {
      throw new StatementException(
          SqlState.LOCK_NOT_AVAILABLE,
          "the transaction has moved tables, and " + answer,
          "Run the transaction again.");
    }
    return answer != null;
  }

  private void answered(String said) {
    answer = said;
    execution.proceed();
  }
}
