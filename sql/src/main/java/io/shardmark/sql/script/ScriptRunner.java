package io.shardmark.sql.script;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Sends a script's statements to a database one after the other, each in its own transaction, and
 * shows them as BenchmarkSQL does: a header of three lines, then every comment line and every
 * statement followed by {@code ;}. Unlike there, the first statement that fails ends the script.
 */
public final class ScriptRunner {
  private static final String RULE = "# " + "-".repeat(60);

  private final Connection connection;
  private final PrintStream out;
  private final Existing existing;

  /**
   * @param connection borrowed; is switched to auto-commit and stays so
   * @param out borrowed; where statements are shown
   */
  public ScriptRunner(Connection connection, PrintStream out) {
    this(connection, out, Existing.FAIL);
  }

  /** The same, with a choice for what exists already. */
  public ScriptRunner(Connection connection, PrintStream out, Existing existing) {
    this.connection = connection;
    this.out = out;
    this.existing = existing;
  }

  /**
   * @throws ScriptException if a statement fails
   * @throws io.shardmark.config.ConfigException if the script cannot be parsed; nothing was run
   * @throws SQLException if the connection cannot be used at all
   */
  public void run(Script script) throws SQLException {
    begin(script.location());
    run(script.location(), ScriptParser.parse(script));
  }

  /** Shows the header before a script's parts. */
  public void begin(String location) {
    out.println(RULE);
    out.println("# Loading SQL file " + location);
    out.println(RULE);
  }

  /**
   * Runs parts of a script.
   *
   * @param location the script's, for messages
   * @throws ScriptException if a statement fails
   * @throws SQLException if the connection cannot be used at all
   */
  public void run(String location, List<ScriptPart> parts) throws SQLException {
    connection.setAutoCommit(true);
    for (ScriptPart part : parts) {
      if (part instanceof ScriptPart.Comment comment) {
        out.println(comment.text());
      } else if (part instanceof ScriptPart.Statement statement) {
        out.println(statement.text() + ";");
        execute(location, statement);
      }
    }
    out.flush();
  }

  private void execute(String location, ScriptPart.Statement statement) {
    try (Statement jdbc = connection.createStatement()) {
      // Procedure bodies hold braces, which are not JDBC escapes.
      jdbc.setEscapeProcessing(false);
      jdbc.execute(statement.text());
    } catch (SQLException e) {
      if (existing.permits(e)) {
        out.println("-- is there already");
        return;
      }
      out.flush();
      throw new ScriptException(location, statement, e);
    }
  }
}
