package io.shardmark.proxy.pool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** What the pools of all event loops share, by user. Any thread. */
public final class Budgets {
  private final int loops;
  private final int shards;
  private final Map<String, OfUser> users = new ConcurrentHashMap<>();

  /** One user's connections to all shards. */
  record OfUser(Reserve reserve, List<ConnectionBudget> byShard) {}

  public Budgets(int loops, int shards) {
    this.loops = loops;
    this.shards = shards;
  }

  OfUser of(String user) {
    return users.computeIfAbsent(
        user,
        name ->
            new OfUser(
                new Reserve(),
                IntStream.range(0, shards)
                    .mapToObj(shard -> new ConnectionBudget(loops))
                    .toList()));
  }
}
