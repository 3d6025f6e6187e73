package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.recovery.ShardAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/**
 * The monitors of all shards, asked at once, so that a shard that is silent does not keep the
 * others from being looked at. Belongs to one thread at a time; asks on threads of its own.
 */
final class ShardMonitors implements AutoCloseable {
  private final Duration patience;
  private final List<ShardMonitor> monitors = new ArrayList<>();
  private final Executor threads;

  /**
   * @param shards in the order of their indexes
   * @param patience how long a shard that has answered the last time may take
   */
  ShardMonitors(List<ShardAccess> shards, Duration patience, BackgroundRunner runner) {
    this.patience = patience;
    this.threads = runner.threads("deadlock-shard", Math.max(1, shards.size()));
    for (int shard = 0; shard < shards.size(); shard++) {
      monitors.add(new ShardMonitor(shard, shards.get(shard)));
    }
  }

  /**
   * @param byShard what was seen, by the shard's index
   * @param unreachable why there is no answer, by the shard's name
   */
  record Answers(Map<Integer, ShardMonitor.Seen> byShard, Map<String, String> unreachable) {
    List<LockWait> waits() {
      return byShard.values().stream().flatMap(seen -> seen.waits().stream()).toList();
    }

    /** Which transaction a part is shown to be of. */
    Optional<Party.Transaction> shown(ServerTransaction part) {
      return Optional.ofNullable(byShard.get(part.shard()))
          .map(seen -> seen.shown().get(part.key()));
    }
  }

  /** Looks at the waits that are not known to be shorter; blocks as long as patience lasts. */
  Answers look(Duration atLeast) {
    monitors.forEach(monitor -> monitor.ask(atLeast, threads));
    long deadline = System.nanoTime() + patience.toNanos();
    Answers answers = new Answers(new TreeMap<>(), new HashMap<>());
    for (int shard = 0; shard < monitors.size(); shard++) {
      int index = shard;
      ShardMonitor monitor = monitors.get(shard);
      monitor
          .answer(deadline)
          .ifPresentOrElse(
              seen -> answers.byShard().put(index, seen),
              () -> answers.unreachable().put(monitor.shardName(), monitor.trouble()));
    }
    return answers;
  }

  /** Shows other proxies on each shard what its monitor makes of it, from the next look on. */
  void show(Map<Integer, Map<String, Party.Transaction>> parts) {
    for (int shard = 0; shard < monitors.size(); shard++) {
      monitors.get(shard).show(ShownParts.comment(parts.getOrDefault(shard, Map.of())));
    }
  }

  String shardName(int shard) {
    return monitors.get(shard).shardName();
  }

  @Override
  public void close() {
    monitors.forEach(ShardMonitor::abort);
  }
}
