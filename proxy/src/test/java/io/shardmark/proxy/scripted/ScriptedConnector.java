package io.shardmark.proxy.scripted;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.pool.ServerConnector;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/** Keeps what is asked for until a test lets it happen. */
public final class ScriptedConnector implements ServerConnector {
  private final Queue<ServerConnector.ConnectorListener> logins = new ArrayDeque<>();
  private final Queue<Consumer<Delivery>> cancels = new ArrayDeque<>();
  private final List<ScriptedServer> accepted = new ArrayList<>();
  private int processes;

  @Override
  public void connect(
      EventLoop loop, int shard, String user, ServerConnector.ConnectorListener listener) {
    logins.add(listener);
  }

  @Override
  public void connectOwn(EventLoop loop, int shard, ServerConnector.ConnectorListener listener) {
    logins.add(listener);
  }

  @Override
  public void cancel(EventLoop loop, int shard, CancelKey key, Consumer<Delivery> done) {
    cancels.add(done);
  }

  /** How many connections are being opened. */
  public int loginsUnderWay() {
    return logins.size();
  }

  /** How many cancel requests have not been delivered. */
  public int cancelsUnderWay() {
    return cancels.size();
  }

  /** The connection asked for first is open and logged in. */
  public ScriptedServer accept() {
    ScriptedServer server = new ScriptedServer();
    accepted.add(server);
    logins
        .remove()
        .connected(
            server.channel(),
            new LoggedInServer(
                Map.of("server_version", "15.0"),
                Settings.NONE,
                new CancelKey(++processes, Bytes.of(new byte[4])),
                server.channel().remoteAddress()));
    return server;
  }

  /** The connection asked for first cannot be opened. */
  public void refuse(String reason) {
    logins.remove().failed(ErrorFields.error(SqlState.CONNECTION_FAILURE, reason));
  }

  /** Closes all connections and releases what was sent on them and not read. */
  public void close() {
    accepted.forEach(server -> server.channel().finishAndReleaseAll());
  }

  /** What becomes of the first cancel request. */
  public void deliverCancel(Delivery delivery) {
    cancels.remove().accept(delivery);
  }
}
