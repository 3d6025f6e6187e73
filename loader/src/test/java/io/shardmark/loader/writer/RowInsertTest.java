package io.shardmark.loader.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.loader.data.DataTable;
import org.junit.jupiter.api.Test;

final class RowInsertTest {
  @Test
  void aBlockInsertsAsManyRowsAsItIsGiven() {
    RowInsert insert = RowInsert.block(DataTable.of("t", "t.csv", "id:i name:t"), 3);
    assertThat(insert.rows()).isEqualTo(3);
    assertThat(insert.text())
        .isEqualTo(
            "EXECUTE BLOCK (rows_given INTEGER = ?,"
                + " id_0 TYPE OF COLUMN t.id = ?, name_0 TYPE OF COLUMN t.name = ?,"
                + " id_1 TYPE OF COLUMN t.id = ?, name_1 TYPE OF COLUMN t.name = ?,"
                + " id_2 TYPE OF COLUMN t.id = ?, name_2 TYPE OF COLUMN t.name = ?) AS BEGIN"
                + " INSERT INTO t (id, name) VALUES (:id_0, :name_0);"
                + " IF (rows_given = 1) THEN EXIT;"
                + " INSERT INTO t (id, name) VALUES (:id_1, :name_1);"
                + " IF (rows_given = 2) THEN EXIT;"
                + " INSERT INTO t (id, name) VALUES (:id_2, :name_2); END");
  }
}
