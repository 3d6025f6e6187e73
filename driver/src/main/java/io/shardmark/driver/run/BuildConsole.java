package io.shardmark.driver.run;

import io.shardmark.loader.LoadException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Shows the steps that make or drop tables: a line for each with its time, and its SQL if that was
 * asked for or if the step fails. Used by one thread.
 *
 * @param out borrowed
 */
record BuildConsole(PrintStream out, DatabaseBuild.Echo echo) {

  /** The work of a step. */
  @FunctionalInterface
  interface BuildStep {
    /**
     * Does it.
     *
     * @param sql where the statements are shown as they are sent
     * @return what the step's line says after the time; may be empty
     */
    String run(PrintStream sql) throws SQLException, LoadException, InterruptedException;
  }

  void line(String text) {
    out.println(text);
    out.flush();
  }

  void step(String name, BuildStep step) throws SQLException, LoadException, InterruptedException {
    long start = System.nanoTime();
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    PrintStream sql =
        echo == DatabaseBuild.Echo.SQL ? out : new PrintStream(kept, false, StandardCharsets.UTF_8);
    boolean done = false;
    try {
      String result = step.run(sql);
      line(stepLine(name, System.nanoTime() - start, result));
      done = true;
    } finally {
      if (!done) {
        sql.flush();
        out.print(kept.toString(StandardCharsets.UTF_8));
        out.flush();
      }
    }
  }

  private static String stepLine(String name, long nanos, String result) {
    return String.format(Locale.ROOT, "  %-24s %8.1f s   %s", name, nanos / 1e9, result)
        .stripTrailing();
  }
}
