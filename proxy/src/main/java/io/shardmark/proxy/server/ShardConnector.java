package io.shardmark.proxy.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.pool.ServerConnector;
import io.shardmark.proxy.pool.ServerConnector.ConnectorListener;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.pool.login.ServerAccount;
import io.shardmark.proxy.pool.login.ServerLogin;
import io.shardmark.proxy.pool.login.ServerLoginConfig;
import io.shardmark.proxy.pool.login.TlsToServer;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.shards.ShardHosts.HostPlace;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Opens connections to the configured shards. Shared by all event loops. */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
final class ShardConnector implements ServerConnector {
  private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(15);
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

  private final SocketTransport transport;
  private final Supplier<ProxyConfig> config;
  private final IntFunction<String> gate;
  private final ShardHosts hosts;
  private final List<Map<Endpoint, ServerLoginConfig>> logins = new CopyOnWriteArrayList<>();
  private final Executor background;
  private final Map<String, ServerAccount> accounts = new ConcurrentHashMap<>();

  /** Reads certificates: blocks. */
  ShardConnector(
      SocketTransport transport,
      Supplier<ProxyConfig> config,
      ShardHosts hosts,
      IntFunction<String> gate,
      Executor background) {
    this.hosts = hosts;
    this.gate = gate;
    this.transport = transport;
    this.config = config;
    this.background = background;
    takeHosts();
  }

  /** Hosts and shards may have been added. Reads certificates: blocks. */
  void takeHosts() {
    List<ShardConfig> shards = config.get().shards();
    for (int index = 0; index < shards.size(); index++) {
      ShardConfig shard = shards.get(index);
      if (index == logins.size()) {
        logins.add(new ConcurrentHashMap<>());
      }
      for (Endpoint host : shard.places()) {
        logins
            .get(index)
            .computeIfAbsent(
                host,
                added ->
                    new ServerLoginConfig(
                        shard.database(),
                        startupParameters(),
                        TlsToServer.create(shard.tls(), added.host(), added.port()),
                        LOGIN_TIMEOUT,
                        background));
      }
    }
  }

  /** Sessions count on these. */
  private static Map<String, String> startupParameters() {
    Map<String, String> parameters = new TreeMap<>(StartValues.OF_CONNECTIONS);
    parameters.put("application_name", "shardmark");
    return parameters;
  }

  /** A client has proved these keys: they open its server connections, not those of before. */
  void remember(String user, ScramKeys keys) {
    ServerAccount known = accounts.get(user);
    if ((known == null || !known.has(keys)) && !hasPassword(user)) {
      accounts.put(user, ServerAccount.ofKeys(user, keys));
    }
  }

  private boolean hasPassword(String user) {
    return config.get().user(user).flatMap(known -> known.password()).isPresent();
  }

  private ServerAccount account(String user) {
    ServerAccount account =
        accounts.computeIfAbsent(
            user,
            name ->
                config
                    .get()
                    .user(name)
                    .flatMap(known -> known.password())
                    .map(password -> ServerAccount.ofPassword(name, password))
                    .orElse(null));
    // Not kept: where no proof is asked for, there is no end of names.
    return account == null ? ServerAccount.trusted(user) : account;
  }

  /** Passwords may have changed. What clients have proved stays: they do not prove it again. */
  void forgetAccounts() {
    accounts.values().removeIf(one -> !one.isOfClient() || hasPassword(one.user()));
  }

  private Bootstrap bootstrap(EventLoop loop, SocketAddress address) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .remoteAddress(transport.own(address))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
    transport.prepare(bootstrap, address);
    return bootstrap;
  }

  /** Which server of a shard connections lead to. */
  private enum ConnectionTarget {
    PRIMARY,
    STANDBY
  }

  private HostPlace place(ConnectionTarget target, int shard) throws UnknownHostException {
    return target == ConnectionTarget.PRIMARY ? hosts.of(shard) : hosts.standbyOf(shard);
  }

  /** Opens connections to the standbys that are read from. */
  ServerConnector toStandbys() {
    return new ServerConnector() {
      @Override
      public void connect(EventLoop loop, int shard, String user, ConnectorListener listener) {
        ShardConnector.this.connect(loop, ConnectionTarget.STANDBY, shard, account(user), listener);
      }

      @Override
      public void connectOwn(EventLoop loop, int shard, ConnectorListener listener) {
        throw new UnsupportedOperationException("the proxy itself does not read from standbys");
      }

      @Override
      public void cancel(EventLoop loop, int shard, CancelKey key, Consumer<Delivery> done) {
        ShardConnector.this.cancel(loop, ConnectionTarget.STANDBY, shard, key, done);
      }
    };
  }

  @Override
  public void connect(EventLoop loop, int shard, String user, ConnectorListener listener) {
    connect(loop, ConnectionTarget.PRIMARY, shard, account(user), listener);
  }

  @Override
  public void connectOwn(EventLoop loop, int shard, ConnectorListener listener) {
    ProxyConfig.Login login = config.get().ownLogin(config.get().shards().get(shard));
    ServerAccount account =
        login
            .password()
            .map(password -> ServerAccount.ofPassword(login.user(), password))
            .orElseGet(() -> account(login.user()));
    connect(loop, ConnectionTarget.PRIMARY, shard, account, listener);
  }

  private void connect(
      EventLoop loop,
      ConnectionTarget target,
      int shard,
      ServerAccount account,
      ConnectorListener listener) {
    HostPlace place;
    try {
      place = place(target, shard);
    } catch (UnknownHostException e) {
      fail(loop, listener, String.valueOf(e.getMessage()));
      return;
    }
    String closed = gate.apply(shard);
    if (!closed.isEmpty()) {
      fail(loop, listener, closed);
      return;
    }
    bootstrap(loop, place.address())
        .option(ChannelOption.AUTO_READ, false)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new ServerLogin(
                            account,
                            Objects.requireNonNull(logins.get(shard).get(place.name())),
                            place.address(),
                            new ShardLogin(
                                listener, login -> whyUnusable(target, shard, place, login))));
              }
            })
        .connect()
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  if (!connected.isSuccess()) {
                    listener.failed(
                        ErrorFields.error(
                            SqlState.CONNECTION_FAILURE,
                            String.valueOf(connected.cause().getMessage())));
                  }
                });
  }

  /** Why a connection that leads there must not be used, or "". */
  private String whyUnusable(
      ConnectionTarget target, int shard, HostPlace place, LoggedInServer login) {
    // PG18 §54.2.7 protocol-async: reported from version 14 on.
    boolean standby = "on".equals(login.parameters().get("in_hot_standby"));
    if (target == ConnectionTarget.STANDBY) {
      return standby && hosts.readsFrom(shard, place) ? "" : "reads of the shard have just moved";
    }
    if (!hosts.isAt(shard, place)) {
      return "the shard has just moved";
    }
    return standby && !config.get().shards().get(shard).hosts().isEmpty()
        ? "the server is a standby"
        : "";
  }

  private static void fail(EventLoop loop, ConnectorListener listener, String why) {
    loop.execute(() -> listener.failed(ErrorFields.error(SqlState.CONNECTION_FAILURE, why)));
  }

  /**
   * @param whyUnusable why the connection must not be used, or ""
   */
  private record ShardLogin(
      ConnectorListener listener, Function<LoggedInServer, String> whyUnusable)
      implements ServerLogin.ServerLoginListener {
    @Override
    public void onLoggedIn(Channel channel, LoggedInServer server) {
      String why = whyUnusable.apply(server);
      if (why.isEmpty()) {
        listener.connected(channel, server);
      } else {
        channel.close();
        listener.failed(ErrorFields.error(SqlState.CONNECTION_FAILURE, why));
      }
    }

    @Override
    public void onLoginFailed(Channel channel, ErrorFields error) {
      listener.failed(error);
    }
  }

  @Override
  public void cancel(EventLoop loop, int shard, CancelKey key, Consumer<Delivery> done) {
    cancel(loop, ConnectionTarget.PRIMARY, shard, key, done);
  }

  private void cancel(
      EventLoop loop, ConnectionTarget target, int shard, CancelKey key, Consumer<Delivery> done) {
    // PG18 §54.2.9 protocol-flow-canceling-requests: the server closes when it has sent the signal.
    SocketAddress address;
    try {
      address = place(target, shard).address();
    } catch (UnknownHostException e) {
      done.accept(Delivery.OVER);
      return;
    }
    bootstrap(loop, address)
        .handler(new ChannelInboundHandlerAdapter())
        .connect()
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  if (!connected.isSuccess()) {
                    done.accept(Delivery.OVER);
                    return;
                  }
                  Channel channel = connected.channel();
                  Future<?> late =
                      loop.schedule(
                          () -> channel.close(), CANCEL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                  channel
                      .closeFuture()
                      .addListener(
                          closed ->
                              done.accept(late.cancel(false) ? Delivery.OVER : Delivery.UNCERTAIN));
                  ByteBuf out = channel.alloc().buffer(16 + key.secretKey().length());
                  FrontendMessages.cancelRequest(out, key.processId(), key.secretKey().toArray());
                  channel.writeAndFlush(out);
                });
  }
}
