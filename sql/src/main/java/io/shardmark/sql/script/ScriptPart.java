package io.shardmark.sql.script;

/** What a script is made of, in its order. */
public sealed interface ScriptPart {
  /** The line of the script it begins on, counted from 1. */
  int line();

  /** The same on another line. */
  ScriptPart at(int otherLine);

  /**
   * A comment line: shown, never sent.
   *
   * @param text the line of the script, unchanged
   */
  record Comment(int line, String text) implements ScriptPart {
    @Override
    public Comment at(int otherLine) {
      return new Comment(otherLine, text);
    }
  }

  /**
   * What is sent to the database in one piece.
   *
   * @param text without the closing semicolon, unless it is a block
   */
  record Statement(int line, String text) implements ScriptPart {
    @Override
    public Statement at(int otherLine) {
      return new Statement(otherLine, text);
    }
  }
}
