package io.shardmark.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.recovery.IdentityCheck;
import io.shardmark.proxy.recovery.IdentityCheck.Claim;
import io.shardmark.proxy.recovery.ShardAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards may be used: those that have been found to be what the configuration says. The
 * others are looked at again and again. Any thread may ask.
 */
final class ShardIdentities {
  private static final Logger LOG = LoggerFactory.getLogger(ShardIdentities.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final String NOT_YET = "it has not been reached yet";

  private final List<ShardAccess> shards;
  private final Map<String, String> closed = new ConcurrentHashMap<>();
  private final BackgroundTask task;
  private Optional<String> cluster = Optional.empty();

  /**
   * @param shards past any check of this
   */
  ShardIdentities(List<ShardAccess> shards, BackgroundRunner runner) {
    this.shards = shards;
    this.task = runner.task("identities", this::lookAgain);
    shards.forEach(shard -> closed.put(shard.name(), NOT_YET));
  }

  /**
   * Looks at all shards that can be reached, and at the others later. Blocks.
   *
   * @throws ConfigException with one line if one is not what it should be
   */
  void checkAtStart() throws InterruptedException {
    Map<String, String> wrong = look(Claim.YES);
    if (!wrong.isEmpty()) {
      throw new ConfigException(
          "shards: " + String.join("; ", new TreeMap<>(wrong).values()) + "; nothing was changed");
    }
    task.runWithin(pause());
  }

  /** What is wrong, one line for each shard; changes nothing. Blocks. */
  static List<String> problems(List<ShardAccess> shards) throws InterruptedException {
    return List.copyOf(
        new TreeMap<>(new IdentityCheck(shards).run(Optional.empty(), Claim.NO).wrong()).values());
  }

  private synchronized Map<String, String> look(Claim claim) throws InterruptedException {
    List<ShardAccess> unknown =
        shards.stream().filter(shard -> closed.containsKey(shard.name())).toList();
    IdentityCheck.Result result = new IdentityCheck(unknown).run(cluster, claim);
    cluster = result.cluster();
    result.right().forEach(closed::remove);
    result.unreachable().forEach((shard, why) -> closed.put(shard, NOT_YET));
    result
        .wrong()
        .forEach(
            (shard, why) -> {
              if (!why.equals(closed.put(shard, why))) {
                LOG.error("{}; it is not used", why);
              }
            });
    return result.wrong();
  }

  /** It may be another database now: not used before it has been found to be the right one. */
  void checkAnew(String shard) {
    closed.put(shard, NOT_YET);
    task.runSoon();
  }

  /** Shards that count now as well are looked at. Blocks. */
  void checkAdded(List<String> added) throws InterruptedException {
    added.forEach(shard -> closed.put(shard, NOT_YET));
    look(Claim.NO);
    task.runSoon();
  }

  private Duration lookAgain() throws InterruptedException {
    look(Claim.YES);
    return pause();
  }

  private Duration pause() {
    return closed.isEmpty() ? BackgroundTask.UNTIL_ASKED : RETRY;
  }

  /** "" if that shard may be used, else why not, after its name. */
  String whyClosed(String shard) {
    return closed.getOrDefault(shard, "");
  }

  /** Why shards are not used that could be reached, one line each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    new TreeMap<>(closed)
        .values()
        .forEach(
            why -> {
              if (!why.equals(NOT_YET)) {
                problems.add(why + "; it is not used");
              }
            });
    return problems;
  }
}
