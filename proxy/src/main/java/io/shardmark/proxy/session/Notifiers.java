package io.shardmark.proxy.session;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Which clients last wrote by which server processes: a notification, which may be sent inside a
 * function too, carries the process number that its sender knows as its own. For all threads.
 */
public final class Notifiers {
  /** More than servers have processes at a time. */
  private static final int MAX_KNOWN = 10_000;

  private final ConcurrentHashMap<Integer, Integer> clients = new ConcurrentHashMap<>();

  void note(int serverProcess, int client) {
    Integer known = clients.get(serverProcess);
    if (known != null && known == client) {
      return;
    }
    if (clients.size() >= MAX_KNOWN) {
      clients.clear();
    }
    clients.put(serverProcess, client);
  }

  /** The client's number; the server process's own if no client is known. */
  int client(int serverProcess) {
    return clients.getOrDefault(serverProcess, serverProcess);
  }
}
