package io.shardmark.loader.keys;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which statement of a script may start next. A statement waits for those before it that it
 * builds on, and for running ones whose locks it would only wait for: a connection that waits for a
 * lock is a connection that does nothing. Not thread-safe; the runner guards it.
 */
final class ScriptSchedule {
  private final List<ScriptTask> waiting;
  private final Set<ScriptTask> running = new LinkedHashSet<>();

  /**
   * @param tasks in the order of the script
   */
  ScriptSchedule(List<ScriptTask> tasks) {
    waiting = new ArrayList<>(tasks);
  }

  /** True if nothing is left to start. */
  boolean isDealtOut() {
    return waiting.isEmpty();
  }

  /**
   * The statement to start now, which counts as running from here on; empty if none may start
   * before another ends.
   */
  Optional<ScriptTask> start() {
    List<ScriptTask> startable = waiting.stream().filter(this::mayStart).toList();
    // The longest statement that waits for locks should not find them taken again by short ones.
    Optional<ScriptTask> longestBlocked =
        waiting.stream()
            .filter(task -> !startable.contains(task) && task.kind() != ScriptTask.TaskKind.OTHER)
            .max(Comparator.comparingInt(ScriptTask::weight));
    Optional<ScriptTask> next =
        startable.stream()
            .max(
                Comparator.comparing(
                        (ScriptTask task) -> longestBlocked.filter(task::conflictsWith).isEmpty())
                    .thenComparingInt(ScriptTask::weight)
                    .thenComparingInt(task -> -waiting.indexOf(task)));
    next.ifPresent(
        task -> {
          waiting.remove(task);
          running.add(task);
        });
    return next;
  }

  void ended(ScriptTask task) {
    running.remove(task);
  }

  /** Nothing more is started. */
  void abandon() {
    waiting.clear();
  }

  private boolean mayStart(ScriptTask task) {
    for (ScriptTask before : running) {
      if (task.conflictsWith(before) || mustFollow(task, before)) {
        return false;
      }
    }
    for (ScriptTask before : waiting) {
      if (before.equals(task)) {
        return true;
      }
      if (mustFollow(task, before)) {
        return false;
      }
    }
    throw new IllegalStateException("not waiting: " + task);
  }

  private static boolean mustFollow(ScriptTask task, ScriptTask before) {
    return task.kind() == ScriptTask.TaskKind.OTHER
        || before.kind() == ScriptTask.TaskKind.OTHER
        || (task.kind() == ScriptTask.TaskKind.VACUUM)
            != (before.kind() == ScriptTask.TaskKind.VACUUM)
        || (task.kind() == ScriptTask.TaskKind.FOREIGN_KEY
            && before.kind() == ScriptTask.TaskKind.KEY
            && task.sharesTableWith(before));
  }
}
