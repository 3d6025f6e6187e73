package io.shardmark.proxy.sql;

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
    SplitBody body = new SplitBody(text);
    int from = 0;
    boolean empty = true;
    for (Token.TokenKind kind = lexer.next(); kind != Token.TokenKind.END; kind = lexer.next()) {
      if (kind == Token.TokenKind.COMMENT) {
        continue;
      }
      if (kind == Token.TokenKind.PUNCTUATION
          && text.charAt(lexer.start()) == ';'
          && body.endsStatementHere()) {
        if (!empty) {
          statements.add(text.substring(from, lexer.end()).strip());
        }
        from = lexer.end();
        empty = true;
        body = new SplitBody(text);
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
  private static final class SplitBody {
    private final String text;
    private int parentheses;
    private int blocks;
    private boolean create;
    private boolean first = true;
    private String previous = "";

    SplitBody(String text) {
      this.text = text;
    }

    boolean endsStatementHere() {
      return parentheses <= 0 && blocks == 0;
    }

    void token(Token.TokenKind kind, int start, int end) {
      if (kind == Token.TokenKind.PUNCTUATION) {
        switch (text.charAt(start)) {
          case '(' -> parentheses++;
          case ')' -> parentheses--;
          default -> {}
        }
      }
      if (!first && !create) {
        return; // only CREATE FUNCTION and CREATE PROCEDURE have such bodies
      }
      String word =
          kind == Token.TokenKind.WORD && end - start <= 6 ? text.substring(start, end) : "";
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
