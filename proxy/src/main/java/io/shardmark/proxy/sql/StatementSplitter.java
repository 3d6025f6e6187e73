package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of a simple Query. A semicolon ends one unless it is in a string, a comment,
 * parentheses (rules), or in the BEGIN ATOMIC body of a function.
 */
public final class StatementSplitter {
  private StatementSplitter() {}

  /** The statements with their semicolons, without white space around them; no empty ones. */
  public static List<String> split(String text) {
    List<String> statements = new ArrayList<>(1);
    SqlLexer lexer = new SqlLexer(text);
    Body body = new Body(text);
    int from = 0;
    boolean empty = true;
    for (Kind kind = lexer.next(); kind != Kind.END; kind = lexer.next()) {
      if (kind == Kind.COMMENT) {
        continue;
      }
      if (kind == Kind.PUNCTUATION
          && text.charAt(lexer.start()) == ';'
          && body.endsStatementHere()) {
        if (!empty) {
          statements.add(text.substring(from, lexer.end()).strip());
        }
        from = lexer.end();
        empty = true;
        body = new Body(text);
      } else {
        empty = false;
        body.token(kind, lexer.start(), lexer.end());
      }
    }
    if (!empty) {
      statements.add(text.substring(from).strip());
    }
    return statements;
  }

  /** How deep in parentheses and in BEGIN ATOMIC ... END the lexer is. */
  private static final class Body {
    private final String text;
    private int parentheses;
    private int blocks;
    private boolean create;
    private boolean first = true;
    private String previous = "";

    Body(String text) {
      this.text = text;
    }

    boolean endsStatementHere() {
      return parentheses <= 0 && blocks == 0;
    }

    void token(Kind kind, int start, int end) {
      if (kind == Kind.PUNCTUATION) {
        switch (text.charAt(start)) {
          case '(' -> parentheses++;
          case ')' -> parentheses--;
          default -> {}
        }
      }
      if (!first && !create) {
        return; // only CREATE FUNCTION and CREATE PROCEDURE have such bodies
      }
      String word = kind == Kind.WORD && end - start <= 6 ? text.substring(start, end) : "";
      if (first) {
        create = word.equalsIgnoreCase("create");
        first = false;
      } else if ((word.equalsIgnoreCase("atomic") && previous.equalsIgnoreCase("begin"))
          || (blocks > 0 && word.equalsIgnoreCase("case"))) {
        blocks++;
      } else if (blocks > 0 && word.equalsIgnoreCase("end")) {
        blocks--;
      }
      previous = word;
    }
  }
}
