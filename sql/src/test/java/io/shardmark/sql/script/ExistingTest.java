package io.shardmark.sql.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What servers answer to a statement of a build that was run before. */
final class ExistingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "42P07 | 0 | relation \"bmsql_item\" already exists | true",
        "42P16 | 0 | multiple primary keys for table \"bmsql_item\" are not allowed | true",
        "42P16 | 0 | cannot drop inherited column | false",
        "42S01 | 1050 | Table 'bmsql_item' already exists | true",
        "42000 | 1068 | Multiple primary key defined | true",
        "HY000 | 1005 | Can't create table (errno: 121 \"Duplicate key on write or update\") | true",
        "HY000 | 1005 | Can't create table (errno: 150 \"Foreign key constraint\") | false",
        "72000 | 955 | ORA-00955: name is already used by an existing object | true",
        "42000 | 335544351 | CREATE TABLE BMSQL_ITEM failed; Table BMSQL_ITEM already exists | true",
        "42S11 | 335544351 | ALTER TABLE failed; Index D_WAREHOUSE_FKEY already exists | true",
        "42000 | 335544351 | CREATE TABLE BMSQL_ITEM failed; no permission for CREATE | false",
        "53100 | 0 | could not extend file: No space left on device | false"
      })
  void whatIsThereIsPassedOver(String state, int code, String message, boolean passedOver) {
    SQLException fault = new SQLException(message, state, code);
    assertThat(Existing.SKIP.permits(fault)).isEqualTo(passedOver);
    assertThat(Existing.FAIL.permits(fault)).isFalse();
  }
}
