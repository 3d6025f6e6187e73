package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.KeyExpression;
import io.shardmark.proxy.sql.RenumberedText;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.TokenRange;
import java.util.List;

/** Cuts an INSERT ... VALUES of several rows by shard. Immutable. */
public final class RowSplit {
  private final TokenRange tokens;
  private final List<List<Expression>> rows;
  private final List<KeyExpression> keys;

  RowSplit(TokenRange tokens, List<List<Expression>> rows, List<KeyExpression> keys) {
    this.tokens = tokens;
    this.rows = rows;
    this.keys = List.copyOf(keys);
  }

  /**
   * One shard's share.
   *
   * @param sql with parameters numbered anew from $1
   * @param parameters for each of them, the index (from 0) of the parameter it had been
   */
  record SplitPart(String sql, List<Integer> parameters) {
    SplitPart {
      parameters = List.copyOf(parameters);
    }
  }

  /** The key of each row, in the order of VALUES. */
  List<KeyExpression> rowKeys() {
    return keys;
  }

  /**
   * The statement with some of the rows only.
   *
   * @param chosen positions in VALUES, ascending
   */
  SplitPart part(List<Integer> chosen) {
    int firstOpen = open(0);
    RenumberedText text = new RenumberedText(tokens).copy(0, firstOpen);
    String separator = " ";
    for (int row : chosen) {
      text.append(separator).copy(open(row), close(row) + 1);
      separator = ", ";
    }
    int afterRows = close(rows.size() - 1) + 1;
    if (afterRows < tokens.size()) {
      text.append(" ").copy(afterRows, tokens.size());
    }
    return new SplitPart(text.text(), text.parameters());
  }

  private int open(int row) {
    return rows.get(row).get(0).from() - 1;
  }

  private int close(int row) {
    List<Expression> columns = rows.get(row);
    return columns.get(columns.size() - 1).to();
  }
}
