package io.shardmark.loader.keys;

import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptException;
import io.shardmark.sql.script.ScriptParser;
import io.shardmark.sql.script.ScriptPart;
import io.shardmark.sql.script.ScriptRunner;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a script as {@link ScriptRunner} does, but on PostgreSQL over several connections where its
 * statements allow it: keys, indexes, foreign keys, and {@code vacuum analyze} table by table.
 * Other statements, and other databases, go one after the other. The statements sent are those of
 * the script, except for the vacuum.
 *
 * <p>{@link #run} blocks; it may be called by one thread at a time.
 */
public final class ParallelScript {
  private static final String RULE = "# " + "-".repeat(60);

  private final ConnectionSource source;
  private final int connections;
  private final PrintStream out;
  private final Existing existing;
  private final Servers servers;

  /** What the connections lead to. */
  public enum Servers {
    ONE,
    /** Several servers of one endpoint: one of them does not know the tables of the others. */
    SHARDS
  }

  /**
   * @param connections how many to open at most, from 1
   * @param out borrowed; where statements are shown as they start
   */
  public ParallelScript(
      ConnectionSource source,
      int connections,
      PrintStream out,
      Existing existing,
      Servers servers) {
    this.source = source;
    this.connections = connections;
    this.out = out;
    this.existing = existing;
    this.servers = servers;
  }

  /**
   * @throws ScriptException if a statement fails; running ones were cancelled, later ones not
   *     started
   * @throws io.shardmark.config.ConfigException if the script cannot be parsed; nothing was run
   * @throws SQLException if a connection cannot be used at all
   * @throws InterruptedException if the calling thread is interrupted; as if a statement had failed
   */
  public void run(Script script) throws SQLException, InterruptedException {
    List<ScriptPart> parts = ScriptParser.parse(script);
    try (Connection first = source.open()) {
      List<ScriptTask> tasks =
          connections > 1 && PostgresServer.isPlain(first)
              ? tasks(parts, new PostgresServer(first))
              : List.of();
      if (tasks.stream().allMatch(task -> task.kind() == ScriptTask.TaskKind.OTHER)) {
        new ScriptRunner(first, out, existing).run(script);
        return;
      }
      showHead(script, parts);
      new ScriptWorkers(script.location(), new ScriptSchedule(tasks), out, existing)
          .run(first, source, Math.min(connections, tasks.size()));
    }
    out.flush();
  }

  private void showHead(Script script, List<ScriptPart> parts) {
    out.println(RULE);
    out.println("# Loading SQL file " + script.location());
    out.println(RULE);
    for (ScriptPart part : parts) {
      if (part instanceof ScriptPart.Comment comment) {
        out.println(comment.text());
      }
    }
  }

  private List<ScriptTask> tasks(List<ScriptPart> parts, PostgresServer server)
      throws SQLException {
    List<ScriptTask> tasks = new ArrayList<>();
    for (ScriptPart part : parts) {
      if (part instanceof ScriptPart.Statement statement) {
        if (servers == Servers.ONE && ScriptTask.isVacuumOfAll(statement)) {
          tasks.addAll(server.vacuums(statement.line()));
        } else {
          tasks.add(ScriptTask.of(statement));
        }
      }
    }
    return tasks;
  }
}
