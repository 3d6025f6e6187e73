package io.shardmark.driver.script;

import java.util.List;
import java.util.Locale;

/** A statement of a file with question marks for its variables. Immutable; compared by identity. */
final class SqlStatement {
  /** What a statement does to the transaction that is open. */
  enum Kind {
    BEGIN,
    END,
    OTHER
  }

  private final String text;
  private final List<Parameter> parameters;
  private final String place;
  private final Kind kind;

  /** A variable in place of a question mark. */
  record Parameter(String name, int number) {}

  SqlStatement(String text, List<Parameter> parameters, String place) {
    this.text = text;
    this.parameters = List.copyOf(parameters);
    this.place = place;
    kind = kindOf(text.replaceAll("(?s)/\\*.*?\\*/", " ").strip().toLowerCase(Locale.ROOT));
  }

  private static Kind kindOf(String text) {
    if (text.matches("(?s)(begin|start\\s+transaction)\\b.*")) {
      return Kind.BEGIN;
    }
    boolean ends =
        text.matches("(?s)(commit|end|rollback|abort|prepare\\s+transaction)\\b.*")
            && !text.matches("(?s)(commit|rollback)\\s+prepared\\b.*")
            && !text.matches("(?s)rollback\\s+((work|transaction)\\s+)?to\\b.*")
            && !text.matches("(?s).*\\band\\s+chain");
    return ends ? Kind.END : Kind.OTHER;
  }

  String text() {
    return text;
  }

  List<Parameter> parameters() {
    return parameters;
  }

  String place() {
    return place;
  }

  Kind kind() {
    return kind;
  }
}
