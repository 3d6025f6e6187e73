package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

final class FirstLineTest {
  @Test
  void leavesOutTheDetailsOfAServer() {
    assertThat(FirstLine.of(new ConfigException("ERROR: no such table \n  Position: 15")))
        .isEqualTo("ERROR: no such table");
  }

  /** The driver's own message of a batch is its statement, of several lines, before the cause. */
  @Test
  void saysTheCauseOfABatchThatWasAborted() {
    SQLException cause =
        new SQLException(
            "ERROR: insert violates foreign key constraint \"ol_stock_fkey\"\n  Detail: x");
    BatchUpdateException batch =
        new BatchUpdateException(
            "Batch entry 3 INSERT INTO bmsql_order_line\n (ol_o_id) was aborted: ERROR: ...",
            "23503",
            0,
            new int[0]);
    batch.setNextException(cause);
    assertThat(FirstLine.of(batch))
        .isEqualTo("ERROR: insert violates foreign key constraint \"ol_stock_fkey\"");
  }

  /** The pool says how long it has waited, which is another text each time. */
  @Test
  void saysWhyAPoolHasNoConnection() {
    SQLTransientConnectionException pool =
        new SQLTransientConnectionException(
            "terminals - Connection is not available, request timed out after 30001ms", "08001");
    assertThat(FirstLine.of(pool)).startsWith("terminals - Connection is not available");
    pool.setNextException(new SQLException("Connection to 127.0.0.1:5432 refused. Check that ..."));
    assertThat(FirstLine.of(pool))
        .isEqualTo("Connection to 127.0.0.1:5432 refused. Check that ...");
  }

  @Test
  void causeIsNamedUnlessTheMessageHasIt() {
    SQLException pipe = new SQLException("An I/O error.", new IOException("Broken pipe"));
    SQLException said = new SQLException("refused: Broken pipe", new IOException("Broken pipe"));

    assertThat(FirstLine.withCause(pipe)).isEqualTo("An I/O error. (Broken pipe)");
    assertThat(FirstLine.withCause(said)).isEqualTo("refused: Broken pipe");
    assertThat(FirstLine.withCause(new SQLException("alone"))).isEqualTo("alone");
  }

  @Test
  void saysThatThereIsNoMessage() {
    assertThat(FirstLine.of(new IllegalStateException())).isEqualTo("no message");
    assertThat(FirstLine.of(new IllegalStateException(" \n "))).isEqualTo("no message");
  }
}
