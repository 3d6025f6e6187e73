package io.shardmark.driver.script;

import java.util.List;
import java.util.Locale;

/**
 * A statement of a file with question marks for its variables.
 *
 * @param parameters names of the variables, one for each question mark
 * @param place file and line
 */
record SqlStatement(String text, List<String> parameters, String place, ScriptStatementKind kind) {
  /** What a statement does to the transaction that is open. */
  enum ScriptStatementKind {
    BEGIN,
    END,
    OTHER
  }

  SqlStatement {
    parameters = List.copyOf(parameters);
  }

  static SqlStatement of(String text, List<String> parameters, String place) {
    String plain = text.replaceAll("(?s)/\\*.*?\\*/", " ").strip().toLowerCase(Locale.ROOT);
    return new SqlStatement(text, parameters, place, kindOf(plain));
  }

  private static ScriptStatementKind kindOf(String text) {
    if (text.matches("(?s)(begin|start\\s+transaction)\\b.*")) {
      return ScriptStatementKind.BEGIN;
    }
    boolean ends =
        text.matches("(?s)(commit|end|rollback|abort|prepare\\s+transaction)\\b.*")
            && !text.matches("(?s)(commit|rollback)\\s+prepared\\b.*")
            && !text.matches("(?s)rollback\\s+((work|transaction)\\s+)?to\\b.*")
            && !text.matches("(?s).*\\band\\s+chain");
    return ends ? ScriptStatementKind.END : ScriptStatementKind.OTHER;
  }
}
