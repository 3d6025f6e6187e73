package io.shardmark.loader.writer;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriter;

/** Where the rows of one worker go, table by table. Used by one thread. */
public interface UnitWriter {
  /** Starts the rows of a table; the table before it was ended. */
  RowWriter start(DataTable table);

  /**
   * Ends the rows of the table.
   *
   * @param rows how many were written
   * @throws io.shardmark.loader.data.RowWriteException if they did not all arrive
   */
  void end(int rows);

  /** Gives up the rows of the table that was started and not ended, if there is one. */
  void abandon();
}
