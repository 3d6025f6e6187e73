package io.shardmark.sql.script;

import java.sql.SQLException;

/**
 * A statement of a script failed; what follows in the script was not run. The message is one line
 * that holds all of the below and can be shown unchanged.
 */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_HEAD_LENGTH = 80;

  /**
   * @param location of the script: {@link Script#location()}
   */
  public ScriptException(String location, ScriptPart.Statement statement, SQLException cause) {
    super(
        "%s line %d: %s (SQLSTATE %s) in: %s%s"
            .formatted(
                location,
                statement.line(),
                oneLine(String.valueOf(cause.getMessage())),
                cause.getSQLState(),
                head(statement),
                advice(String.valueOf(cause.getSQLState()))),
        cause);
  }

  /** Since PostgreSQL 15 not every user may create in the schema public of another's database. */
  private static String advice(String sqlState) {
    return sqlState.equals("42501")
        ? "; use a database that this user owns (create database NAME owner USER), and its name in the key conn"
        : "";
  }

  private static String head(ScriptPart.Statement statement) {
    String text = oneLine(statement.text());
    return text.length() <= MAX_HEAD_LENGTH ? text : text.substring(0, MAX_HEAD_LENGTH) + "...";
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
