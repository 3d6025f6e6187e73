package io.shardmark.loader.data;

/** Makes rows. Belongs to one thread. */
public interface RowSource {
  /**
   * Writes the rows that a unit has in one of its tables. The same rows each time.
   *
   * @return the number of rows written
   */
  int write(LoadUnit unit, DataTable table, RowWriter out);

  /**
   * Writes the rows of {@link DataSet#lastTable}.
   *
   * @return the number of rows written
   */
  default int writeLast(RowWriter out) {
    throw new IllegalStateException("the data set has no last table");
  }
}
