package io.shardmark.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import java.util.function.Consumer;

/** Opens connections to shards and logs in. */
public interface ServerConnector {
  /**
   * Opens one; answers later on that event loop, once.
   *
   * @param user the role to log in as
   */
  void connect(EventLoop loop, int shard, String user, ConnectorListener listener);

  /** The same as the proxy's own role. */
  void connectOwn(EventLoop loop, int shard, ConnectorListener listener);

  /**
   * Delivers a cancel request on its own connection.
   *
   * @param done called on the loop, once
   */
  void cancel(EventLoop loop, int shard, CancelKey key, Consumer<Delivery> done);

  /** What came of a cancel request. */
  enum Delivery {
    /** The server has taken it, or never will: nothing that is sent later can be hit. */
    OVER,
    /** The server has not said so in time; it may still come to it. */
    UNCERTAIN
  }

  /** Takes the result. */
  interface ConnectorListener {
    /**
     * Logged in, ReadyForQuery seen, nothing read beyond it; the pipeline holds nothing that keeps
     * messages.
     */
    void connected(Channel channel, LoggedInServer server);

    /** Could not; the channel is closed. */
    void failed(ErrorFields error);
  }
}
