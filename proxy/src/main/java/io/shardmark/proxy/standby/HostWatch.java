package io.shardmark.proxy.standby;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.config.proxy.StandbyReads;
import io.shardmark.config.proxy.StandbyReads.ReadSource;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.standby.HostReport.Silent;
import io.shardmark.proxy.standby.ShardPrimary.HostView;
import io.shardmark.proxy.standby.TimelineTable.SeenTimeline;
import java.net.SocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all hosts of the shards that have several what they are, each on a thread of its own, and
 * has {@link ShardHosts} lead to the primary. What other proxies have seen is read on every shard.
 * Any thread may ask what is known.
 */
public final class HostWatch {
  private static final Logger LOG = LoggerFactory.getLogger(HostWatch.class);

  /** A promotion is noticed within it, and a loss. */
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** At the start a host that does not answer is waited for no longer. */
  private static final Duration START_LIMIT = Duration.ofSeconds(15);

  private final ShardHosts hosts;
  private final ShardConnections connections;
  private final BackgroundRunner runner;

  /** By name; another one where its hosts have changed. */
  private volatile Map<String, Watched> shards;

  /** Empty where no shard has several hosts. */
  private final List<Single> singles;

  private @Nullable ProxyMetrics metrics;
  private volatile @Nullable BackgroundTask announcing;

  /** One shard with its hosts. */
  private final class Watched {
    final int shard;
    final List<Endpoint> endpoints;
    final List<BackgroundTask> tasks = new ArrayList<>();
    ShardPrimary known;
    volatile StandbyLevels levels = StandbyLevels.NONE;
    List<String> problems = List.of();

    Watched(int shard, ShardConfig config, ShardPrimary known) {
      this.shard = shard;
      this.endpoints = config.hosts();
      this.known = known;
      for (int host = 0; host < endpoints.size(); host++) {
        int asked = host;
        Endpoint endpoint = endpoints.get(host);
        HostProbe probe = new HostProbe(shard, () -> hosts.resolve(endpoint), connections);
        tasks.add(runner.task("host " + config.name() + " " + endpoint, () -> ask(asked, probe)));
      }
    }

    /** Other hosts have taken the place of these: what they say does not count any more. */
    private boolean isOver() {
      return shards.get(known().shard()) != this;
    }

    private Duration ask(int host, HostProbe probe) {
      Duration pause = isOver() ? BackgroundTask.UNTIL_ASKED : askOnce(host, probe);
      if (isOver()) {
        probe.close();
      }
      return pause;
    }

    private Duration askOnce(int host, HostProbe probe) {
      long asked = System.nanoTime();
      try {
        HostProbe.Learned learned = probe.ask();
        boolean isOfThisShard;
        synchronized (this) {
          apply((known, now) -> known.heard(host, learned.answer(), asked, now));
          isOfThisShard = known.isOfThisShard(host);
        }
        if (isOfThisShard) {
          learned.timelines().forEach(HostWatch.this::seenElsewhere);
        }
      } catch (SQLException e) {
        Silent silent = new Silent(String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "));
        apply((known, now) -> known.heard(host, silent, asked, now));
      }
      return INTERVAL;
    }

    /** Takes over what follows from an event. */
    synchronized void apply(BiFunction<ShardPrimary, Long, ShardPrimary.PrimaryChange> event) {
      if (isOver()) {
        return;
      }
      ShardPrimary.PrimaryChange change = event.apply(known, System.nanoTime());
      known = change.next();
      change.effects().forEach(this::perform);
      chooseStandby();
      List<String> now = known.problems();
      now.stream().filter(line -> !problems.contains(line)).forEach(LOG::error);
      problems = now;
      if (known.primary() == ShardPrimary.NONE) {
        hosts.lose(shard, known.whyNone());
      }
      notifyAll();
    }

    private void chooseStandby() {
      StandbyReads reads = connections.standbyReads();
      levels =
          reads.source() == ReadSource.PRIMARY
              ? StandbyLevels.NONE
              : levels.after(known, System.nanoTime(), reads.lagLimit().toNanos());
      hosts.readFrom(shard, known.place(levels.chosen()));
    }

    synchronized List<HostView> views() {
      return known.views(levels, System.nanoTime());
    }

    private void perform(ShardPrimary.PrimaryEffect effect) {
      if (effect instanceof ShardPrimary.PrimaryEffect.AskAll) {
        tasks.forEach(BackgroundTask::runSoon);
      } else if (effect instanceof ShardPrimary.PrimaryEffect.Stop) {
        LOG.warn("{}", known.whyNone());
      } else if (effect instanceof ShardPrimary.PrimaryEffect.Cut) {
        hosts.cut(shard);
      } else if (effect instanceof ShardPrimary.PrimaryEffect.UseHost use) {
        LOG.warn(
            "shard {}: the primary is {}, on timeline {}",
            known.shard(),
            use.place().name(),
            use.timeline());
        hosts.lead(shard, use.place());
        BackgroundTask announced = announcing;
        if (announced != null) {
          announced.runSoon();
        }
      }
    }

    synchronized boolean awaitSettled(long deadlineNanos) throws InterruptedException {
      while (!known.isSettled()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    }

    synchronized ShardPrimary known() {
      return known;
    }

    /**
     * The same shard with other hosts: what is known of it goes over at once, and nothing that is
     * heard here counts after that.
     */
    synchronized Watched succeededBy(ShardConfig config) {
      Watched next = new Watched(shard, config, known.withHosts(names(config)));
      Map<String, Watched> now = new LinkedHashMap<>(shards);
      now.put(config.name(), next);
      shards = now;
      return next;
    }
  }

  /** A shard that is one server: proxies write there what they have seen of the others. */
  private final class Single {
    private final int shard;
    private final HostProbe probe;
    private final BackgroundTask task;
    private final CountDownLatch asked = new CountDownLatch(1);

    Single(int shard, ShardConfig config) {
      this.shard = shard;
      this.probe = new HostProbe(shard, () -> hosts.of(shard), connections);
      this.task = runner.task("timelines on " + config.name(), this::ask);
    }

    private Duration ask() {
      try {
        HostProbe.Learned learned = probe.ask();
        if (!hosts.isAt(shard, learned.answer().place())) {
          probe.close();
          return Duration.ZERO;
        }
        if (learned.answer().shard().equals(Optional.of(connections.shardName(shard)))) {
          learned.timelines().forEach(HostWatch.this::seenElsewhere);
        }
      } catch (SQLException e) {
        LOG.debug("timelines cannot be read on {}: {}", task.state().name(), e.getMessage());
      }
      asked.countDown();
      return INTERVAL;
    }
  }

  /** Nothing is asked before {@link #start}. */
  public HostWatch(ShardHosts hosts, ShardConnections connections, BackgroundRunner runner) {
    this.hosts = hosts;
    this.connections = connections;
    this.runner = runner;
    Map<String, Watched> watched = new LinkedHashMap<>();
    List<ShardConfig> configured = connections.shards();
    for (int shard = 0; shard < configured.size(); shard++) {
      ShardConfig one = configured.get(shard);
      if (!one.hosts().isEmpty()) {
        ShardPrimary unknown = ShardPrimary.unknown(one.name(), names(one));
        watched.put(one.name(), new Watched(shard, one, unknown));
      }
    }
    this.shards = watched;
    List<Single> others = new ArrayList<>();
    for (int shard = 0; shard < configured.size() && !watched.isEmpty(); shard++) {
      if (configured.get(shard).hosts().isEmpty()) {
        others.add(new Single(shard, configured.get(shard)));
      }
    }
    this.singles = List.copyOf(others);
  }

  private static List<String> names(ShardConfig shard) {
    return shard.hosts().stream().map(Endpoint::toString).toList();
  }

  /**
   * @throws ConfigException with one line if the hosts of a configuration cannot be taken over
   */
  public void requireHosts(ProxyConfig reloaded) {
    List<ShardConfig> before = pending(connections.shards());
    List<ShardConfig> now = pending(reloaded.shards());
    for (int index = 0; index < Math.max(before.size(), now.size()); index++) {
      List<ShardConfig> old = before.stream().skip(index).limit(1).toList();
      List<ShardConfig> other = now.stream().skip(index).limit(1).toList();
      Stream.concat(other.stream(), old.stream())
          .filter(shard -> !shard.hosts().isEmpty() && !old.equals(other))
          .findFirst()
          .ifPresent(
              shard -> {
                throw new ConfigException(
                    "shard %s: a shard that does not count has one host; hosts come and change with a restart"
                        .formatted(shard.name()));
              });
    }
    for (ShardConfig shard : reloaded.shards()) {
      Watched watched = shards.get(shard.name());
      if (watched != null) {
        var unused = watched.known().withHosts(names(shard));
      }
    }
  }

  /** Those that do not count, of all. */
  private List<ShardConfig> pending(List<ShardConfig> all) {
    return all.subList(Math.min(connections.shardCount(), all.size()), all.size());
  }

  /** Watches the hosts that are configured now, and no others. */
  public synchronized void takeHosts() {
    for (Watched each : shards.values()) {
      ShardConfig shard = connections.shards().get(each.shard);
      if (!shard.hosts().equals(each.endpoints)) {
        Watched next = each.succeededBy(shard);
        each.tasks.forEach(runner::end);
        next.tasks.forEach(BackgroundTask::runSoon);
        showHosts(next);
      }
    }
  }

  /**
   * Begins to ask, and waits until all hosts have answered or are given up, and until the other
   * shards have shown which timelines proxies have seen.
   *
   * @throws ConfigException with one line if they cannot be the hosts of one shard
   */
  public void start() throws InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    for (Watched each : shards.values()) {
      each.tasks.forEach(BackgroundTask::runSoon);
    }
    singles.forEach(each -> each.task.runSoon());
    for (Single each : singles) {
      if (!each.asked.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        LOG.warn("{} cannot be read yet", each.task.state().name());
      }
    }
    for (Watched each : shards.values()) {
      if (!each.awaitSettled(deadline)) {
        LOG.warn("{}", each.known().whyNone());
      }
    }
    List<String> wrong =
        shards.values().stream().flatMap(one -> one.known().contradictions().stream()).toList();
    if (!wrong.isEmpty()) {
      throw new ConfigException("shards: " + String.join("; ", wrong) + "; nothing was changed");
    }
  }

  /**
   * Whether a standby of the shard shows all that was committed before that time of {@link
   * System#nanoTime}.
   *
   * @param shard index
   * @param address where the standby is; null: the one that is read from now
   * @param limitNanos how old what it shows may be
   */
  public boolean hasStandbyThatShows(
      int shard, @Nullable SocketAddress address, long sinceNanos, long limitNanos) {
    Watched watched = shards.get(connections.shardName(shard));
    return watched != null
        && watched.levels.shows(address, sinceNanos, System.nanoTime(), limitNanos);
  }

  private void seenElsewhere(SeenTimeline seen) {
    Watched watched = shards.get(seen.shard());
    if (watched != null && !watched.known().hasSeen(seen.cluster(), seen.timeline())) {
      watched.apply((known, now) -> known.seenElsewhere(seen.cluster(), seen.timeline(), now));
    }
  }

  /** Lets other proxies know from now on which timelines there are, by these shards. */
  public void announceOn(List<ShardAccess> access) {
    if (!shards.isEmpty()) {
      TimelineTable timelines = new TimelineTable(access);
      BackgroundTask task = runner.task("timelines", () -> announce(timelines));
      announcing = task;
      task.runSoon();
    }
  }

  private Duration announce(TimelineTable timelines) {
    List<SeenTimeline> newest = new ArrayList<>();
    for (Watched each : shards.values()) {
      ShardPrimary known = each.known();
      known
          .cluster()
          .ifPresent(
              cluster -> newest.add(new SeenTimeline(known.shard(), cluster, known.newest())));
    }
    return timelines.write(newest) ? BackgroundTask.UNTIL_ASKED : TimelineTable.RETRY;
  }

  /**
   * Shows which host of each shard is the primary in use, their timelines, and the standbys' lag.
   */
  public synchronized void show(ProxyMetrics on) {
    metrics = on;
    shards.values().forEach(this::showHosts);
  }

  private void showHosts(Watched watched) {
    ProxyMetrics on = metrics;
    if (on == null) {
      return;
    }
    for (HostView host : watched.views()) {
      String shard = host.shard();
      String name = host.name();
      on.showHost(
          shard,
          name,
          "host_is_primary",
          "Whether the host is the primary in use",
          () -> view(host).filter(view -> view.state().equals("primary")).isPresent() ? 1 : 0);
      on.showHost(
          shard,
          name,
          "host_timeline",
          "Timeline of the host, 0 if it is down",
          () -> view(host).flatMap(HostView::timeline).orElse(0));
      on.showHost(
          shard,
          name,
          "host_lag_bytes",
          "Write-ahead log of the primary that a standby has not replayed",
          () -> view(host).flatMap(HostView::lagBytes).orElse(0L));
    }
  }

  /** What is known of a host now, if it is still one. */
  private Optional<HostView> view(HostView host) {
    return hosts().stream()
        .filter(one -> one.shard().equals(host.shard()) && one.name().equals(host.name()))
        .findFirst();
  }

  /** All hosts of the shards that have several, by shard. */
  public List<HostView> hosts() {
    return shards.values().stream().flatMap(each -> each.views().stream()).toList();
  }

  /** What an administrator should put right, one line each. */
  public List<String> problems() {
    return shards.values().stream().flatMap(each -> each.known().problems().stream()).toList();
  }
}
