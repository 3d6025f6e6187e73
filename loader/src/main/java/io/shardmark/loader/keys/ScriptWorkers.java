package io.shardmark.loader.keys;

import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.ScriptException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The threads that run a script's statements, each with its own connection. */
final class ScriptWorkers {
  private final String location;
  private final PrintStream out;
  private final Existing existing;

  // All below is guarded by this object's monitor.
  private final ScriptSchedule schedule;
  private final Set<Statement> active = new HashSet<>();
  private @Nullable Exception failure;

  ScriptWorkers(String location, ScriptSchedule schedule, PrintStream out, Existing existing) {
    this.location = location;
    this.schedule = schedule;
    this.out = out;
    this.existing = existing;
  }

  /**
   * Runs the whole schedule.
   *
   * @param first connection of the first worker, borrowed; the others are opened and closed here
   */
  void run(Connection first, ConnectionSource source, int workers)
      throws SQLException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      boolean isFirst = i == 0;
      Thread thread =
          new Thread(() -> work(isFirst ? first : null, source), "keys-%03d".formatted(i));
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      fail(e);
      throw e;
    }
    throwFailure();
  }

  private synchronized void throwFailure() throws SQLException {
    if (failure instanceof SQLException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }

  private void work(@Nullable Connection given, ConnectionSource source) {
    try {
      if (given != null) {
        runStatements(given);
      } else {
        try (Connection own = source.open()) {
          runStatements(own);
        }
      }
    } catch (SQLException | RuntimeException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
    }
  }

  private void runStatements(Connection connection) throws SQLException, InterruptedException {
    connection.setAutoCommit(true);
    new PostgresServer(connection).prepareForKeys();
    Optional<ScriptTask> task = next();
    while (task.isPresent()) {
      execute(connection, task.get());
      task = next();
    }
  }

  /** Waits for a statement that may start; empty if there will be none. */
  private synchronized Optional<ScriptTask> next() throws InterruptedException {
    while (true) {
      Optional<ScriptTask> task = schedule.start();
      if (task.isPresent()) {
        out.println(task.get().statement().text() + ";");
        return task;
      }
      if (schedule.isDealtOut()) {
        return Optional.empty();
      }
      wait();
    }
  }

  private void execute(Connection connection, ScriptTask task) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      if (!begin(statement)) {
        return;
      }
      try {
        statement.execute(task.statement().text());
      } catch (SQLException e) {
        if (!existing.permits(e)) {
          throw new ScriptException(location, task.statement(), e);
        }
      } finally {
        end(statement, task);
      }
    }
  }

  /** False if the script has failed in the meantime. */
  private synchronized boolean begin(Statement statement) {
    if (failure != null) {
      return false;
    }
    active.add(statement);
    return true;
  }

  private synchronized void end(Statement statement, ScriptTask task) {
    active.remove(statement);
    schedule.ended(task);
    notifyAll();
  }

  /** Keeps the first failure, starts nothing more and cancels what runs. */
  private synchronized void fail(Exception e) {
    if (failure == null) {
      failure = e;
    } else {
      failure.addSuppressed(e);
    }
    schedule.abandon();
    for (Statement statement : active) {
      try {
        statement.cancel();
      } catch (SQLException cancelFailure) {
        failure.addSuppressed(cancelFailure);
      }
    }
    notifyAll();
  }
}
