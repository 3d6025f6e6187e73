package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts INSERT ... VALUES by rows. Immutable. */
final class RowSplit implements InsertSplit {
  private final TokenRange tokens;
  private final List<List<Expression>> rows;
  private final List<KeyExpression> keys;

  RowSplit(TokenRange tokens, List<List<Expression>> rows, List<KeyExpression> keys) {
    this.tokens = tokens;
    this.rows = rows;
    this.keys = List.copyOf(keys);
  }

  @Override
  public List<KeyExpression> rowKeys() {
    return keys;
  }

  @Override
  public Part part(List<Integer> chosen) {
    Writer writer = new Writer();
    int firstOpen = open(0);
    writer.copy(0, firstOpen);
    String separator = "";
    for (int row : chosen) {
      writer.text.append(separator);
      writer.copy(open(row), close(row) + 1);
      separator = ", ";
    }
    int afterRows = close(rows.size() - 1) + 1;
    if (afterRows < tokens.size()) {
      writer.text.append(' ');
      writer.copy(afterRows, tokens.size());
    }
    return new Part(writer.text.toString(), writer.parameters);
  }

  private int open(int row) {
    return rows.get(row).get(0).from() - 1;
  }

  private int close(int row) {
    List<Expression> columns = rows.get(row);
    return columns.get(columns.size() - 1).to();
  }

  /** Copies tokens with what is between them, and numbers parameters anew. */
  private final class Writer {
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> parameters = new ArrayList<>();

    void copy(int from, int to) {
      if (from == to) {
        return;
      }
      int at = tokens.at(from).start();
      for (int i = from; i < to; i++) {
        Token token = tokens.at(i);
        if (token.kind() == Kind.PARAMETER) {
          text.append(tokens.sql(), at, token.start()).append('$').append(number(token));
          at = token.end();
        }
      }
      int end = to < tokens.size() ? tokens.at(to).start() : tokens.at(to - 1).end();
      int last = tokens.at(to - 1).end();
      text.append(tokens.sql(), at, to < tokens.size() && from == 0 ? end : last);
    }

    private int number(Token token) {
      Integer index = Integer.parseInt(tokens.text(token).substring(1)) - 1;
      int known = parameters.indexOf(index);
      if (known < 0) {
        parameters.add(index);
        return parameters.size();
      }
      return known + 1;
    }
  }
}
