package io.shardmark.proxy.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.execution.Transaction.EndMode;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TransactionTest {
  private static final TableName BEFORE = new TableName("public", "before");
  private static final TableName AFTER = new TableName("public", "after");

  /** PostgreSQL releases what has been locked since (PG18 §13.3). */
  @Test
  void rollbackToASavepointEndsTheLocksTakenAfterIt() {
    Transaction transaction = new Transaction();
    transaction.begin(EndMode.EXPLICIT, List.of());
    transaction.lockedCopies(List.of(BEFORE));
    transaction.addSavepoint("a");
    transaction.lockedCopies(List.of(AFTER));
    assertThat(transaction.hasLockedCopies(List.of(AFTER, BEFORE))).isTrue();
    transaction.fail();
    transaction.recover(transaction.savepoints().get(0));
    assertThat(transaction.hasLockedCopies(List.of(AFTER))).isFalse();
    assertThat(transaction.hasLockedCopies(List.of(BEFORE))).isTrue();
    transaction.end();
    assertThat(transaction.hasLockedCopies(List.of(BEFORE))).isFalse();
  }
}
