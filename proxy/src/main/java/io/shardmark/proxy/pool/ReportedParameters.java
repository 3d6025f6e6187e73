package io.shardmark.proxy.pool;

import io.shardmark.proxy.settings.Settings;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a server reported when it let a user in, the last time that one did: what new clients are
 * known, without asking a server for each. Any thread.
 */
public final class ReportedParameters {
  /** Beyond it they are asked for again, which costs a question each. */
  private static final int MAX_STARTUP_SETTINGS = 1_000;

  private final Map<Settings, Settings> startupSettings = new ConcurrentHashMap<>();
  private final Set<Runnable> waiting = new HashSet<>();
  private volatile Map<String, String> latest = Map.of();

  /** By name, in the server's order; empty if no login is known. */
  public Map<String, String> latest() {
    return latest;
  }

  /** Keeps what a server reported when it let its user in. */
  public void keep(Map<String, String> parameters) {
    List<Runnable> called;
    synchronized (this) {
      latest = parameters;
      called = List.copyOf(waiting);
      waiting.clear();
    }
    called.forEach(Runnable::run);
  }

  /** They are of a role that has been replaced, or may do more or less. */
  void forgetLatest() {
    latest = Map.of();
  }

  /** What servers made of values that startup messages gave, if one was asked. */
  public Optional<Settings> understood(Settings asked) {
    return Optional.ofNullable(startupSettings.get(asked));
  }

  /** Keeps what a server made of these. */
  public void keepUnderstood(Settings asked, Settings understood) {
    if (startupSettings.size() >= MAX_STARTUP_SETTINGS) {
      startupSettings.clear();
    }
    startupSettings.put(asked, understood);
  }

  /** Runs that once there are some, at once if there are; on whatever thread. */
  public void whenKnown(Runnable task) {
    synchronized (this) {
      if (latest.isEmpty()) {
        waiting.add(task);
        return;
      }
    }
    task.run();
  }

  /** That need not be run any more. */
  public synchronized void forget(Runnable task) {
    waiting.remove(task);
  }
}
