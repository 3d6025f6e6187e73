package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.SimpleStatement;
import java.util.List;

/** Where a statement begins in the text of a Query message. */
final class TextOffset {
  private TextOffset() {}

  /** In characters as PostgreSQL counts them, from 0. */
  static int of(int statement, List<SimpleStatement> statements, String text) {
    int at = 0;
    for (int i = 0; i <= statement; i++) {
      String sql = statements.get(i).planned().sql();
      int found = text.indexOf(sql, at);
      if (found < 0) {
        return 0;
      }
      at = i == statement ? found : found + sql.length();
    }
    return text.codePointCount(0, at);
  }
}
