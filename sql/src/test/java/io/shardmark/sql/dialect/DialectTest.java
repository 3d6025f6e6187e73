package io.shardmark.sql.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import java.io.EOFException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DialectTest {
  @ParameterizedTest
  @CsvSource({
    "POSTGRES, 40001, 0, SERIALIZATION_FAILURE",
    "POSTGRES, 40P01, 0, DEADLOCK",
    "POSTGRES, 55P03, 0, LOCK_TIMEOUT",
    "POSTGRES, 57014, 0, STATEMENT_TIMEOUT",
    "POSTGRES, 57P01, 0, CONNECTION_LOST",
    "POSTGRES, 57P02, 0, CONNECTION_LOST",
    "POSTGRES, 57P03, 0, CONNECTION_LOST",
    "POSTGRES, 08006, 0, CONNECTION_LOST",
    "POSTGRES, 08003, 0, CONNECTION_LOST",
    "POSTGRES, 23505, 0, CONSTRAINT",
    "POSTGRES, 42P01, 0, OTHER",
    "POSTGRES, P0001, 0, OTHER",
    "POSTGRES, , 0, OTHER",
    "MYSQL, 40001, 1213, DEADLOCK",
    "MYSQL, HY000, 1205, LOCK_TIMEOUT",
    "MYSQL, 40001, 1205, LOCK_TIMEOUT",
    "MYSQL, HY000, 1020, SERIALIZATION_FAILURE",
    "MYSQL, 70100, 1969, STATEMENT_TIMEOUT",
    "MYSQL, HY000, 3024, STATEMENT_TIMEOUT",
    "MYSQL, 08S01, 0, CONNECTION_LOST",
    "MYSQL, HY000, 2013, CONNECTION_LOST",
    "MYSQL, 23000, 1062, CONSTRAINT",
    "ORACLE, 61000, 60, DEADLOCK",
    "ORACLE, 72000, 8177, SERIALIZATION_FAILURE",
    "ORACLE, 61000, 54, LOCK_TIMEOUT",
    "ORACLE, 72000, 1013, STATEMENT_TIMEOUT",
    "ORACLE, 08000, 3113, CONNECTION_LOST",
    "ORACLE, 66000, 12541, CONNECTION_LOST",
    "ORACLE, 23000, 1, CONSTRAINT",
    "ORACLE, 42000, 942, OTHER",
    "ORACLE, 72000, 20001, OTHER",
    "FIREBIRD, 40001, 335544336, DEADLOCK",
    "FIREBIRD, 40001, 335544451, SERIALIZATION_FAILURE",
    "FIREBIRD, 40001, 335544345, LOCK_TIMEOUT",
    "FIREBIRD, 23000, 335544665, CONSTRAINT",
    "FIREBIRD, 08006, 335544721, CONNECTION_LOST",
  })
  void classifiesBySqlStateAndVendorCode(
      Dialect dialect, String state, int code, SqlErrorClass expected) {
    assertThat(dialect.classify(new SQLException("text", state, code))).isEqualTo(expected);
  }

  @Test
  void looksBehindABatchForTheRealCause() {
    BatchUpdateException batch = new BatchUpdateException("batch", null, 0, new int[0]);
    batch.setNextException(new SQLException("deadlock detected", "40P01"));
    assertThat(Dialect.POSTGRES.classify(batch)).isEqualTo(SqlErrorClass.DEADLOCK);
    assertThat(Dialect.POSTGRES.classify(new SQLException(new SQLException("dup", "23505"))))
        .isEqualTo(SqlErrorClass.CONSTRAINT);
  }

  @Test
  void takesTheExceptionsTypeWhereNoCodeSpeaks() {
    for (Dialect dialect : Dialect.values()) {
      assertThat(dialect.classify(new SQLException("lost", new EOFException())))
          .isEqualTo(SqlErrorClass.CONNECTION_LOST);
      assertThat(dialect.classify(new SQLRecoverableException("lost")))
          .isEqualTo(SqlErrorClass.CONNECTION_LOST);
      assertThat(dialect.classify(new SQLTransientConnectionException("no connection")))
          .isEqualTo(SqlErrorClass.CONNECTION_LOST);
      assertThat(dialect.classify(new SQLTimeoutException("slow")))
          .isEqualTo(SqlErrorClass.STATEMENT_TIMEOUT);
    }
  }

  @Test
  void tellsAnUnusedItemFromOtherErrors() {
    assertThat(Dialect.POSTGRES.isInvalidItem(new SQLException("x", "P0001"))).isTrue();
    assertThat(Dialect.POSTGRES.isInvalidItem(new SQLException("x", "P0002"))).isFalse();
    assertThat(Dialect.ORACLE.isInvalidItem(new SQLException("x", "72000", 20001))).isTrue();
    assertThat(Dialect.ORACLE.isInvalidItem(new SQLException("x", "72000", 20002))).isFalse();
    assertThat(Dialect.MYSQL.isInvalidItem(new SQLException("x", "P0001", 20001))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, ' FOR UPDATE'",
    "ORACLE, ' FOR UPDATE'",
    "MARIADB, ' FOR UPDATE'",
    "MYSQL, ' FOR UPDATE'",
    "FIREBIRD, ' FOR UPDATE WITH LOCK'",
  })
  void spellsLocks(DatabaseKind database, String forUpdate) {
    assertThat(Dialect.of(database).forUpdate()).isEqualTo(forUpdate);
  }
}
