package io.shardmark.proxy.routing;

import java.util.List;

/** An INSERT of several rows, ready to be cut by shard. */
public interface InsertSplit {
  /** The key of each row, in the order of VALUES. */
  List<KeyExpression> rowKeys();

  /**
   * The statement with some of the rows only.
   *
   * @param rows positions in VALUES, ascending
   */
  Part part(List<Integer> rows);

  /**
   * One shard's share.
   *
   * @param sql with parameters numbered anew from $1
   * @param parameters for each of them, the index (from 0) of the parameter it had been
   */
  record Part(String sql, List<Integer> parameters) {
    public Part {
      parameters = List.copyOf(parameters);
    }
  }
}
