package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the COMMIT of a transaction that has moved tables waits for: no client of any proxy has a
 * statement on them under way.
 */
public final class PlacementMove {
  private PlacementMove() {}

  /**
   * Until the COMMIT may begin; fails if it must not. All servers are quiet.
   *
   * @param own statements of the client that commits
   * @param tables names without schema; none: nothing is kept off
   */
  public static ExecutionStep agreed(
      Execution execution, PlacementChanges changes, StatementsUnderWay own, Set<String> tables) {
    MoveAgreement agreement = changes.agreement();
    if (tables.isEmpty() || agreement == null) {
      return ExecutionStep.DONE;
    }
    int number = 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1);
    Broadcast mark =
        Broadcast.of(
            execution.output(), execution.participants().enlisted(), agreement.mark(number));
    return mark.then(
        () -> {
          AtomicReference<@Nullable String> answer = new AtomicReference<>();
          agreement.keepOff(
              number,
              Hold.ofStatements(tables),
              own,
              said -> {
                answer.set(said);
                execution.loop().execute(execution::proceed);
              });
          return () -> isAlone(answer.get());
        });
  }

  /**
   * @param answer of all proxies, "" if they keep off; null: not yet
   */
  private static boolean isAlone(@Nullable String answer) {
    if (answer != null && !answer.isEmpty()) {
      throw new StatementException(
          SqlState.LOCK_NOT_AVAILABLE,
          "the transaction has moved tables, and " + answer,
          "Run the transaction again.");
    }
    return answer != null;
  }
}
