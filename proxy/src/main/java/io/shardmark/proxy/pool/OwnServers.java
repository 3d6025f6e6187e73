package io.shardmark.proxy.pool;

import io.netty.channel.Channel;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.ErrorFields;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's own connections of one event loop, one to each shard, opened when first needed. No
 * client ever holds one.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
public final class OwnServers {
  private final PoolPlace place;
  private final Map<Integer, Link> links = new HashMap<>();
  private PoolPhase phase = PoolPhase.OPEN;

  OwnServers(PoolPlace place) {
    this.place = place;
  }

  /** Who uses them. */
  public interface User {
    /** It has just been opened, and nothing been sent there. */
    void opened(ServerConnection server);

    /** It is gone, or could not be opened. */
    void lost(int shard);
  }

  /**
   * The connection to that shard.
   *
   * @return null if it is not there yet: the user learns what becomes of it
   */
  public @Nullable ServerConnection require(int shard, User user) {
    Link link = links.get(shard);
    if (link == null) {
      link = new Link(shard, user);
      links.put(shard, link);
      place.connector().connectOwn(place.loop(), shard, link);
    }
    return link.server;
  }

  /** Has the next user open another one. */
  public void drop(int shard) {
    Link link = links.get(shard);
    if (link != null && link.server != null) {
      link.server.close();
    }
  }

  void close() {
    phase = PoolPhase.CLOSED;
    links.values().stream().map(link -> link.server).toList().forEach(OwnServers::terminate);
  }

  private static void terminate(@Nullable ServerConnection server) {
    if (server != null) {
      server.terminate();
    }
  }

  private final class Link implements ServerConnection.Home, ServerConnector.ConnectorListener {
    private final int shard;
    private final User owner;
    private @Nullable ServerConnection server;

    Link(int shard, User owner) {
      this.shard = shard;
      this.owner = owner;
    }

    @Override
    public void connected(Channel channel, LoggedInServer login) {
      if (phase == PoolPhase.CLOSED) {
        channel.close();
        return;
      }
      ServerConnection opened = new ServerConnection(channel, this, login);
      server = opened;
      channel.pipeline().addLast(opened);
      channel.read();
      owner.opened(opened);
    }

    @Override
    public void failed(ErrorFields error) {
      links.remove(shard);
      owner.lost(shard);
    }

    @Override
    public PoolPlace place() {
      return place;
    }

    @Override
    public int shard() {
      return shard;
    }

    @Override
    public int preparedLimit() {
      return 1;
    }

    @Override
    public void cancelDelivered(ServerConnection one) {
      // Nothing is cancelled here.
    }

    @Override
    public void closed(ServerConnection one) {
      links.remove(shard);
      owner.lost(shard);
    }
  }
}
