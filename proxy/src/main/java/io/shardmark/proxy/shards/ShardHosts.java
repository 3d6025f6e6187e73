package io.shardmark.proxy.shards;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards' addresses. This is the only place where their hosts are resolved: clients' sessions,
 * recovery, catalog and deadlock detection connect to the address that stands here, so that after a
 * failover none of them is on another server than the rest. Thread-safe.
 */
public final class ShardHosts {
  private static final Logger LOG = LoggerFactory.getLogger(ShardHosts.class);
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final List<ShardConfig> shards;
  private final Resolver resolver;
  private final AtomicReferenceArray<SocketAddress> addresses;
  private final List<IntConsumer> movedListeners = new CopyOnWriteArrayList<>();

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

  /** Resolves the shards' hosts as the system does; blocks. */
  public ShardHosts(Supplier<ProxyConfig> config) {
    this(config, host -> Arrays.asList(InetAddress.getAllByName(host)));
  }

  /** Resolves the shards' hosts for the first time; blocks. */
  public ShardHosts(Supplier<ProxyConfig> config, Resolver resolver) {
    this.shards = config.get().shards(); // a reload cannot change them
    this.resolver = resolver;
    this.addresses = new AtomicReferenceArray<>(shards.size());
    for (int shard = 0; shard < shards.size(); shard++) {
      ShardConfig one = shards.get(shard);
      addresses.set(
          shard,
          one.socket()
              .<SocketAddress>map(UnixDomainSocketAddress::of)
              .orElseGet(() -> InetSocketAddress.createUnresolved(one.host(), one.port())));
    }
    look();
  }

  /**
   * Where connections to a shard lead now: an InetSocketAddress or a UnixDomainSocketAddress.
   *
   * @throws UnknownHostException as long as its host cannot be resolved
   */
  public SocketAddress of(int shard) throws UnknownHostException {
    SocketAddress address = addresses.get(shard);
    if (address instanceof InetSocketAddress internet && internet.isUnresolved()) {
      throw new UnknownHostException("host " + internet.getHostString() + " cannot be resolved");
    }
    return address;
  }

  /** Whether connections to a shard lead there now. */
  public boolean isAt(int shard, SocketAddress address) {
    return addresses.get(shard).equals(address);
  }

  /** Told of each shard whose address has become another one, on the thread that looks. */
  public void whenMoved(IntConsumer listener) {
    movedListeners.add(listener);
  }

  /**
   * Resolves again; blocks. A host that cannot be resolved now stays where it was.
   *
   * @return how long to pause before the next look
   */
  public Duration look() {
    for (int shard = 0; shard < shards.size(); shard++) {
      ShardConfig one = shards.get(shard);
      if (!(addresses.get(shard) instanceof InetSocketAddress before)) {
        continue;
      }
      try {
        List<InetAddress> found = resolver.resolve(one.host());
        // One of several stays as long as it is among them: they may come in any order.
        if (before.isUnresolved() || !found.contains(before.getAddress())) {
          InetSocketAddress now = new InetSocketAddress(found.get(0), one.port());
          addresses.set(shard, now);
          if (!before.isUnresolved()) {
            LOG.warn("shard {} is at {} now, no longer at {}", one.name(), now, before);
            int moved = shard;
            movedListeners.forEach(listener -> listener.accept(moved));
          }
        }
      } catch (UnknownHostException e) {
        LOG.debug("host {} of shard {} cannot be resolved", one.host(), one.name());
      }
    }
    return INTERVAL;
  }
}
