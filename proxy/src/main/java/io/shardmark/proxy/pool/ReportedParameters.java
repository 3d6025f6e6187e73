package io.shardmark.proxy.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a server reported when it let a user in, the last time that one did: what new clients are
 * told, without asking a server for each. Any thread.
 */
final class ReportedParameters {
  private final Set<Runnable> waiting = new HashSet<>();
  private volatile Map<String, String> latest = Map.of();

  /** By name, in the server's order; empty before the first login. */
  Map<String, String> latest() {
    return latest;
  }

  void keep(Map<String, String> parameters) {
    List<Runnable> told;
    synchronized (this) {
      latest = parameters;
      told = List.copyOf(waiting);
      waiting.clear();
    }
    told.forEach(Runnable::run);
  }

  /** Runs that once there are some, at once if there are; on whatever thread. */
  void whenKnown(Runnable task) {
    synchronized (this) {
      if (latest.isEmpty()) {
        waiting.add(task);
        return;
      }
    }
    task.run();
  }

  /** That need not be run any more. */
  synchronized void forget(Runnable task) {
    waiting.remove(task);
  }
}
