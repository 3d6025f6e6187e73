package io.shardmark.proxy.shards;

import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the shards are. This is the only place where their hosts are resolved: clients' sessions,
 * recovery, catalog and deadlock detection connect to the address that is here, so that after a
 * failover none of them is on another server than the rest. Where a shard has a list of hosts,
 * {@link #lead} says which is its primary. Thread-safe.
 */
public final class ShardHosts {
  private static final Logger LOG = LoggerFactory.getLogger(ShardHosts.class);
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final Supplier<ProxyConfig> config;
  private final Resolver resolver;

  /** By shard; a reload appends, and changes those that do not count. */
  private final List<ShardPlace> shards = new CopyOnWriteArrayList<>();

  private final List<MoveListener> movedListeners = new CopyOnWriteArrayList<>();
  private final List<IntConsumer> standbyListeners = new CopyOnWriteArrayList<>();

  /** Resolves names; blocks. */
  @FunctionalInterface
  public interface Resolver {
    /**
     * All addresses of a host, at least one.
     *
     * @throws UnknownHostException if there is none now
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  /** Where connections to a shard lead. */
  private sealed interface Location {}

  /**
   * A server.
   *
   * @param name as configured
   * @param address an InetSocketAddress that is resolved, or a UnixDomainSocketAddress
   */
  public record HostPlace(Endpoint name, SocketAddress address) implements Location {}

  private static final class ShardPlace {
    final ShardConfig config;
    volatile Location primary;
    volatile Location standby = NO_STANDBY;

    ShardPlace(ShardConfig config, Location primary) {
      this.config = config;
      this.primary = primary;
    }
  }

  /** No server now. */
  private record Nowhere(String why, Optional<HostPlace> before) implements Location {}

  private static final Nowhere NO_STANDBY =
      new Nowhere("no standby of the shard is read from now", Optional.empty());

  /** What becomes of connections to where the shard was. */
  public enum OldConnections {
    /** Transactions that are open go on; nothing begins there. */
    FINISH,
    /** They end at once: what is there is not the shard any more. */
    END
  }

  /** Learns of each shard that is elsewhere. */
  @FunctionalInterface
  public interface MoveListener {
    void moved(int shard, OldConnections old);
  }

  /** Resolves the shards' hosts as the system does; blocks. */
  public ShardHosts(Supplier<ProxyConfig> config) {
    this(config, host -> Arrays.asList(InetAddress.getAllByName(host)));
  }

  /** Resolves the shards' hosts for the first time; blocks. */
  public ShardHosts(Supplier<ProxyConfig> config, Resolver resolver) {
    this.config = config;
    this.resolver = resolver;
    takeShards(0);
    look();
  }

  /** How many there are, whether they count or not. */
  public int shardCount() {
    return Math.min(shards.size(), config.get().shards().size());
  }

  /**
   * The configuration may have other shards after those that count: connections to what has been
   * there before end, and the next {@link #look} resolves them.
   */
  public synchronized void takeShards(int counting) {
    List<ShardConfig> configured = config.get().shards();
    for (int shard = counting; shard < Math.max(shards.size(), configured.size()); shard++) {
      if (shard >= configured.size()) {
        ShardConfig removed = shards.get(shard).config;
        take(shard, removed, "shard " + removed.name() + " is not in the configuration any more");
      } else if (shard >= shards.size()
          || !shards.get(shard).config.equals(configured.get(shard))) {
        ShardConfig one = configured.get(shard);
        take(
            shard,
            one,
            one.hosts().isEmpty()
                ? "host " + one.host() + " cannot be resolved"
                : "the primary of shard " + one.name() + " is not known yet");
      }
    }
  }

  private void take(int shard, ShardConfig config, String whyNowhere) {
    ShardPlace place = new ShardPlace(config, new Nowhere(whyNowhere, Optional.empty()));
    if (shard == shards.size()) {
      shards.add(place);
    } else {
      shards.set(shard, place);
      moved(shard, OldConnections.END);
    }
  }

  /**
   * Where connections to a shard lead now.
   *
   * @throws UnknownHostException while they lead nowhere
   */
  public HostPlace of(int shard) throws UnknownHostException {
    return place(shards.get(shard).primary);
  }

  /**
   * The standby of a shard that is read from now.
   *
   * @throws UnknownHostException if there is none
   */
  public HostPlace standbyOf(int shard) throws UnknownHostException {
    return place(shards.get(shard).standby);
  }

  private static HostPlace place(Location location) throws UnknownHostException {
    if (location instanceof HostPlace place) {
      return place;
    }
    throw new UnknownHostException(((Nowhere) location).why());
  }

  /** The host that they lead to, or last led to; the first before that. */
  public Endpoint lastHost(int shard) {
    return last(shard)
        .map(HostPlace::name)
        .orElseGet(() -> shards.get(shard).config.places().get(0));
  }

  /** Whether connections to a shard lead there now. */
  public boolean isAt(int shard, HostPlace place) {
    return shards.get(shard).primary.equals(place);
  }

  /** Whether reads go to that standby of a shard now. */
  public boolean readsFrom(int shard, HostPlace place) {
    return shards.get(shard).standby.equals(place);
  }

  /** Reads of a shard go to that standby from now on, or to none. */
  public void readFrom(int shard, Optional<HostPlace> standby) {
    Location now = standby.isPresent() ? standby.get() : NO_STANDBY;
    Location before = shards.get(shard).standby;
    shards.get(shard).standby = now;
    if (!before.equals(now)) {
      standbyListeners.forEach(listener -> listener.accept(shard));
    }
  }

  /** Called for each shard whose reads go elsewhere, on the thread that found it. */
  public void whenStandbyMoved(IntConsumer listener) {
    standbyListeners.add(listener);
  }

  /** Called for each shard that is elsewhere, on the thread that found it. */
  public void whenMoved(MoveListener listener) {
    movedListeners.add(listener);
  }

  /** The primary of a shard with several hosts has been found. */
  public void lead(int shard, HostPlace primary) {
    Optional<HostPlace> before = last(shard);
    shards.get(shard).primary = primary;
    if (!before.equals(Optional.of(primary))) {
      moved(shard, OldConnections.FINISH);
    }
  }

  /** It has no primary now. */
  public void lose(int shard, String why) {
    shards.get(shard).primary = new Nowhere(why, last(shard));
  }

  private Optional<HostPlace> last(int shard) {
    Location location = shards.get(shard).primary;
    return location instanceof HostPlace place ? Optional.of(place) : ((Nowhere) location).before();
  }

  /** What it led to before is not the primary any more. */
  public void cut(int shard) {
    moved(shard, OldConnections.END);
  }

  private void moved(int shard, OldConnections old) {
    movedListeners.forEach(listener -> listener.moved(shard, old));
  }

  /** Where a host is; blocks. */
  public HostPlace resolve(Endpoint host) throws UnknownHostException {
    return new HostPlace(
        host,
        host.socket().isPresent()
            ? UnixDomainSocketAddress.of(host.socket().get())
            : new InetSocketAddress(resolver.resolve(host.host()).get(0), host.port()));
  }

  /**
   * Resolves again; blocks. A host that cannot be resolved now stays where it was.
   *
   * @return how long to pause before the next look
   */
  public Duration look() {
    for (int shard = 0; shard < shardCount(); shard++) {
      ShardPlace place = shards.get(shard); // which a reload may replace meanwhile
      if (place.config.hosts().isEmpty()) {
        look(shard, place);
      }
    }
    return INTERVAL;
  }

  private void look(int shard, ShardPlace looked) {
    Location before = looked.primary;
    ShardConfig config = looked.config;
    try {
      Endpoint host = config.places().get(0);
      // One of several stays as long as it is among them: they may come in any order.
      if (before instanceof HostPlace place
          && (!(place.address() instanceof InetSocketAddress internet)
              || resolver.resolve(host.host()).contains(internet.getAddress()))) {
        return;
      }
      HostPlace now = resolve(host);
      looked.primary = now;
      if (before instanceof HostPlace place) {
        LOG.warn(
            "shard {} is at {} now, no longer at {}",
            config.name(),
            now.address(),
            place.address());
        moved(shard, OldConnections.FINISH);
      }
    } catch (UnknownHostException e) {
      LOG.debug("host {} of shard {} cannot be resolved", config.host(), config.name());
    }
  }
}
