package io.shardmark.proxy.copy;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import org.jspecify.annotations.Nullable;

/** Asks a shard what a COPY needs to know of its table. */
final class CopyTableStep implements Step {
  private final Execution execution;
  private final String name;
  private final int shard;
  private @Nullable CopyTable asked;

  /**
   * @param name as the client wrote it
   */
  CopyTableStep(Execution execution, String name, int shard) {
    this.execution = execution;
    this.name = name;
    this.shard = shard;
  }

  @Override
  public boolean advance() {
    CopyTable table = asked;
    if (table == null) {
      ServerConnection free = execution.participants().require(shard);
      if (free == null) {
        return false;
      }
      table = new CopyTable();
      asked = table;
      free.query(CopyTable.query(name), table);
      free.flush();
    }
    return table.hasSucceeded();
  }

  /** What it said, once the step is done. */
  CopyTable answer() {
    if (asked == null) {
      throw new IllegalStateException("nothing was asked");
    }
    return asked;
  }
}
