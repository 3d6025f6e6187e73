package io.shardmark.proxy.recovery;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.recovery.IdentityCheck.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
public final class ShardIdentities {
  private static final Logger LOG = LoggerFactory.getLogger(ShardIdentities.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final String NOT_YET = "it has not been reached yet";

  private final List<ShardAccess> shards;

  /** Of each shard that has been looked at. */
  private final Map<String, ShardIdentity> identities = new ConcurrentHashMap<>();

  private final BackgroundTask task;
  private Optional<String> cluster = Optional.empty();

  /**
   * What is known of a shard.
   *
   * @param request number of the latest request to look at it
   * @param why it is not used; "" if it is right
   */
  private record ShardIdentity(int request, String why) {
    static final ShardIdentity UNKNOWN = new ShardIdentity(0, NOT_YET);

    boolean isWrong() {
      return !why.isEmpty() && !why.equals(NOT_YET);
    }

    ShardIdentity requested() {
      return new ShardIdentity(request + 1, NOT_YET);
    }

    /** What has been found for an earlier request may be of another database. */
    ShardIdentity answered(ShardIdentity asked, String found) {
      return request == asked.request ? new ShardIdentity(request, found) : this;
    }
  }

  /**
   * @param shards past any check of this
   */
  public ShardIdentities(List<ShardAccess> shards, BackgroundRunner runner) {
    this.shards = shards;
    this.task = runner.task("identities", this::lookAgain);
  }

  /**
   * Looks at all shards that can be reached, and at the others later. Blocks.
   *
   * @throws ConfigException with one line if one is not what it should be
   */
  public void checkAtStart() throws InterruptedException {
    Map<String, String> wrong = look(Claim.YES);
    if (!wrong.isEmpty()) {
      throw new ConfigException(
          "shards: " + String.join("; ", new TreeMap<>(wrong).values()) + "; nothing was changed");
    }
    task.runWithin(pause());
  }

  /** What is wrong, one line for each shard; changes nothing. Blocks. */
  public static List<String> problems(List<ShardAccess> shards) throws InterruptedException {
    return List.copyOf(
        new TreeMap<>(new IdentityCheck(shards).run(Optional.empty(), Claim.NO).wrong()).values());
  }

  private synchronized Map<String, String> look(Claim claim) throws InterruptedException {
    Map<String, ShardIdentity> asked = new HashMap<>();
    List<ShardAccess> unknown = new ArrayList<>();
    for (ShardAccess shard : List.copyOf(shards)) {
      ShardIdentity now = identity(shard.name());
      if (!now.why().isEmpty()) {
        asked.put(shard.name(), now);
        unknown.add(shard);
      }
    }
    IdentityCheck.Result result = new IdentityCheck(unknown).run(cluster, claim);
    cluster = result.cluster();
    Map<String, String> found = new HashMap<>(result.wrong());
    result.right().forEach(shard -> found.put(shard, ""));
    result.unreachable().keySet().forEach(shard -> found.put(shard, NOT_YET));
    asked.forEach(
        (shard, before) -> {
          String why = found.get(shard);
          if (why != null) {
            answer(shard, before, why);
          }
        });
    return result.wrong();
  }

  private void answer(String shard, ShardIdentity asked, String why) {
    ShardIdentity now =
        identities.compute(
            shard,
            (name, latest) ->
                (latest == null ? ShardIdentity.UNKNOWN : latest).answered(asked, why));
    if (now.isWrong() && !now.equals(asked)) {
      LOG.error("{}; it is not used", why);
    }
  }

  private ShardIdentity identity(String shard) {
    return identities.getOrDefault(shard, ShardIdentity.UNKNOWN);
  }

  /** It may be another database now: not used before it has been found to be the right one. */
  public void checkAnew(String shard) {
    identities.compute(
        shard, (name, latest) -> (latest == null ? ShardIdentity.UNKNOWN : latest).requested());
    task.runSoon();
  }

  /** Shards that count now as well are looked at. Blocks. */
  public void checkAdded() throws InterruptedException {
    look(Claim.NO);
    task.runSoon();
  }

  private Duration lookAgain() throws InterruptedException {
    look(Claim.YES);
    return pause();
  }

  private Duration pause() {
    return shards.stream().allMatch(shard -> whyClosed(shard.name()).isEmpty())
        ? BackgroundTask.UNTIL_ASKED
        : RETRY;
  }

  /** "" if that shard may be used, else why not; not before it has been looked at. */
  public String whyClosed(String shard) {
    return identity(shard).why();
  }

  /** The same for what works on shards that do not count as well. */
  public String whyClosedIfCounting(String shard) {
    ShardIdentity looked = identities.get(shard);
    return looked == null ? "" : looked.why();
  }

  /** Why shards are not used that could be reached, one line each. */
  public List<String> problems() {
    return new TreeMap<>(identities)
        .values().stream()
            .filter(ShardIdentity::isWrong)
            .map(one -> one.why() + "; it is not used")
            .toList();
  }
}
