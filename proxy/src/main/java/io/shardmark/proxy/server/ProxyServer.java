package io.shardmark.proxy.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.shardmark.config.ConfigException;
import io.shardmark.config.Processors;
import io.shardmark.config.ThreadBinding;
import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.ShardConfig;
import io.shardmark.proxy.deadlock.TransactionDirectory;
import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.LoopLag;
import io.shardmark.proxy.pool.Budgets;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.pool.PoolPlace;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.session.ClientSession;
import io.shardmark.proxy.session.Session;
import io.shardmark.proxy.session.SessionContext;
import io.shardmark.proxy.session.login.AuthenticatedClient;
import io.shardmark.proxy.session.login.ClientLogin;
import io.shardmark.proxy.shards.ShardHosts.OldConnections;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening proxy: event loops, each with its pools and sessions. A client stays on the loop
 * that accepted it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class ProxyServer implements TransactionDirectory, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
  private static final int SHORT_KEY_BYTES = 4;
  private static final int LONG_KEY_BYTES = 32;
  private static final int NEWER_MINOR_VERSION = 2;
  private static final int BACKLOG = 4_096;
  private static final long LOOPS_END_MILLIS = 3_000;

  private final ProxyParts parts;
  private final BiConsumer<Channel, AuthenticatedClient> adminClients;
  private final SocketTransport transport;
  private final MultiThreadIoEventLoopGroup loops;
  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("shardmark-login", true));
  private final ShardConnector connector;
  private final Budgets budgets;
  private final Budgets standbyBudgets;
  private final Map<EventExecutor, SessionContext> contexts = new LinkedHashMap<>();
  private final List<Channel> acceptors = new ArrayList<>();
  private final AtomicInteger clients = new AtomicInteger();

  /** Who has not logged in yet; of each loop, and for it only. */
  private final Map<EventExecutor, Set<Channel>> strangers = new HashMap<>();

  private volatile boolean draining;

  /** The Unix-domain socket that it has made. */
  private volatile @Nullable Path socketFile;

  private ProxyServer(ProxyParts parts, BiConsumer<Channel, AuthenticatedClient> adminClients) {
    this.parts = parts;
    this.adminClients = adminClients;
    ProxyConfig config = parts.config().get();
    this.transport = SocketTransport.choose(config.loops().transport());
    this.loops =
        new MultiThreadIoEventLoopGroup(
            config.loops().count(),
            loopThreads(config.loops().processors()),
            transport.handlers(config.loops().busyPoll()));
    this.connector =
        new ShardConnector(transport, parts.config(), parts.hosts(), parts.gate(), background);
    parts.metrics().countPlansBy(parts.plans()::madeCount);
    this.budgets = new Budgets(config.loops().count());
    this.standbyBudgets = new Budgets(config.loops().count());
    for (EventExecutor executor : loops) {
      contexts.put(executor, newContext((EventLoop) executor));
      strangers.put(executor, new LinkedHashSet<>());
    }
    parts.hosts().whenMoved(this::moved);
    parts.hosts().whenStandbyMoved(this::standbyMoved);
  }

  /**
   * Starts to listen.
   *
   * @param adminClients takes the channels of those who ask for the admin database, on their loop
   * @throws ConfigException if the address cannot be bound or the transport is not available
   */
  public static ProxyServer start(
      ProxyParts parts, BiConsumer<Channel, AuthenticatedClient> adminClients) {
    ProxyServer server = new ProxyServer(parts, adminClients);
    boolean started = false;
    try {
      server.bind();
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close();
      }
    }
  }

  private static ThreadFactory loopThreads(Processors processors) {
    ThreadFactory factory = new DefaultThreadFactory("shardmark-loop");
    AtomicInteger made = new AtomicInteger();
    return loop -> factory.newThread(ThreadBinding.bound(processors, made.getAndIncrement(), loop));
  }

  private SessionContext newContext(EventLoop loop) {
    LoopCounters counters = parts.metrics().newLoop();
    LoopLag.watch(background, loop, counters);
    List<ShardConfig> shards = parts.config().get().shards();
    Set<Integer> replicated =
        IntStream.range(0, shards.size())
            .filter(shard -> !shards.get(shard).hosts().isEmpty())
            .boxed()
            .collect(Collectors.toSet());
    List<String> names = parts.map().get().shards();
    PoolConfig limits = parts.config().get().pool();
    PoolPlace primaries = new PoolPlace(loop, connector, counters, names, replicated, budgets);
    Optional<LoopPools> standbys =
        replicated.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new LoopPools(
                    new PoolPlace(
                        loop, connector.toStandbys(), counters, names, replicated, standbyBudgets),
                    limits.withoutFailoverWait()));
    return new SessionContext(
        loop,
        new LoopPools(primaries, limits),
        standbys,
        new ExecutionPlanner(parts.plans(), parts.map(), counters),
        counters,
        parts.cluster());
  }

  private void bind() {
    bindPort(parts.config().get().listen().address());
    parts.config().get().socket(address().getPort()).ifPresent(this::bindSocket);
  }

  private void bindPort(InetSocketAddress wanted) {
    InetSocketAddress address = wanted;
    if (!transport.sharesPorts() || contexts.size() == 1) {
      acceptors.add(bindOne(address, loops.next()));
      return;
    }
    requireFree(address);
    for (EventExecutor loop : contexts.keySet()) {
      Channel acceptor = bindOne(address, (EventLoop) loop);
      acceptors.add(acceptor);
      address = (InetSocketAddress) acceptor.localAddress();
    }
  }

  /** Sockets that share a port let in those of another proxy, which would get half the clients. */
  private static void requireFree(InetSocketAddress address) {
    try (ServerSocket alone = new ServerSocket()) {
      alone.setReuseAddress(true);
      alone.bind(address);
    } catch (IOException e) {
      throw cannotBind(address, e);
    }
  }

  private static ConfigException cannotBind(SocketAddress address, Throwable why) {
    return new ConfigException("listen: " + address + " cannot be bound: " + why.getMessage());
  }

  /** One acceptor for all loops. */
  private void bindSocket(Path socket) {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
    try (SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.connect(address);
    } catch (IOException e) {
      // Nobody listens there: a file that is left is one of a proxy that was killed.
      removeSocket(socket);
    }
    acceptors.add(bindOne(address, loops.next()));
    socketFile = socket;
  }

  private static void removeSocket(Path socket) {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      LOG.warn("{} cannot be removed: {}", socket, e.getMessage());
    }
  }

  private Channel bindOne(SocketAddress address, EventLoop loop) {
    boolean shared =
        address instanceof InetSocketAddress && transport.sharesPorts() && contexts.size() > 1;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop, shared ? loop : loops)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            // To switch it off and on again loses reads on io_uring; so every read is asked for.
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted(channel);
                  }
                });
    transport.prepare(bootstrap, address);
    if (shared) {
      bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
    }
    var bound = bootstrap.bind(transport.own(address)).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw cannotBind(address, bound.cause());
    }
    return bound.channel();
  }

  private void accepted(Channel channel) {
    SessionContext context = contexts.get(channel.eventLoop());
    Set<Channel> unauthenticated = strangers.get(channel.eventLoop());
    if (context == null || unauthenticated == null) {
      channel.close();
      return;
    }
    context.count(LoopCounter.CLIENTS_ACCEPTED);
    clients.incrementAndGet();
    unauthenticated.add(channel);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              unauthenticated.remove(channel);
              clients.decrementAndGet();
            });
    channel
        .pipeline()
        .addLast(new ClientLogin(parts.login(), new ServerSideLogin(context, unauthenticated)));
  }

  private final class ServerSideLogin implements ClientLogin.ClientLoginListener {
    private final SessionContext context;
    private final Set<Channel> strangers;

    ServerSideLogin(SessionContext context, Set<Channel> strangers) {
      this.context = context;
      this.strangers = strangers;
    }

    @Override
    public void onAuthenticated(Channel channel, AuthenticatedClient client) {
      strangers.remove(channel);
      if (draining) {
        turnAway(channel, ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "the proxy is shutting down"));
        return;
      }
      if (clients.get() > parts.config().get().limits().maxClients()) {
        turnAway(
            channel,
            ErrorFields.fatal(SqlState.TOO_MANY_CONNECTIONS, "sorry, too many clients already"));
        return;
      }
      boolean admin = client.database().equals(ProxyConfig.ADMIN_DATABASE);
      if (!admin && !parts.config().get().serves(client.database())) {
        refuseDatabase(channel, client.database());
        return;
      }
      context.count(LoopCounter.LOGIN_OK);
      if (admin) {
        channel.config().setAutoRead(true);
        adminClients.accept(channel, client);
        return;
      }
      var keys = client.scramKeys();
      if (keys != null) {
        connector.remember(client.user(), keys);
      }
      ClientSession session =
          new ClientSession(
              context, channel, client.user(), client.database(), client.parameters());
      boolean newer = client.version().minor() >= NEWER_MINOR_VERSION;
      session.start(newer ? LONG_KEY_BYTES : SHORT_KEY_BYTES);
    }

    private void refuseDatabase(Channel channel, String database) {
      context.count(LoopCounter.LOGIN_REFUSED);
      ClientLogin.refuse(
          channel,
          ErrorFields.fatal(
                  SqlState.INVALID_CATALOG_NAME, "database \"" + database + "\" does not exist")
              .withHint(
                  "The proxy serves the name of the shards' database, and those under databases."));
    }

    private void turnAway(Channel channel, ErrorFields error) {
      context.count(LoopCounter.LOGIN_TURNED_AWAY);
      ClientLogin.refuse(channel, error);
    }

    @Override
    public void onFailed(ErrorFields error) {
      // Class 28, invalid authorization, is the answer to a wrong name, password or certificate.
      boolean refused = error.sqlState().code().startsWith("28");
      context.count(refused ? LoopCounter.LOGIN_REFUSED : LoopCounter.LOGIN_FAILED);
    }

    @Override
    public void onCancel(Channel channel, CancelKey key) {
      // By which the client knows that it is done.
      parts.cluster().cancelKeys().cancel(key, () -> channel.close());
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    SocketAddress address = acceptors.get(0).localAddress();
    return (InetSocketAddress) address;
  }

  /** What each event loop has; its sessions and pools may be looked at on that loop only. */
  public List<SessionContext> loops() {
    return List.copyOf(contexts.values());
  }

  @Override
  public List<OpenTransaction> snapshot() {
    List<OpenTransaction> all = new ArrayList<>();
    for (SessionContext each : contexts.values()) {
      var asked =
          each.loop()
              .submit(
                  () ->
                      each.sessions().stream()
                          .flatMap(session -> session.openTransaction().stream())
                          .toList())
              .awaitUninterruptibly();
      if (asked.isSuccess()) {
        all.addAll(asked.getNow());
      }
    }
    return all;
  }

  @Override
  public void cancel(long id, Backend backend, String detail) {
    onLoops(
        each ->
            List.copyOf(each.sessions())
                .forEach(session -> session.cancelDeadlocked(id, backend, detail)));
  }

  /** How many clients are connected, logged in or not. */
  public int clientCount() {
    return clients.get();
  }

  private void standbyMoved(int shard) {
    onLoops(each -> each.standbyPools().ifPresent(pools -> pools.moved(shard)));
  }

  /** Connections to where the shard was end, at once or with their transactions. */
  private void moved(int shard, OldConnections old) {
    onLoops(
        each -> {
          if (old == OldConnections.END) {
            each.pools().cut(shard);
          } else {
            each.pools().moved(shard);
          }
        });
  }

  private void onLoops(Consumer<SessionContext> work) {
    contexts.values().forEach(each -> each.loop().execute(() -> work.accept(each)));
  }

  /** Returns whether all loops have done it in time. */
  private boolean onLoopsNow(Consumer<SessionContext> work) {
    List<Future<?>> done = new ArrayList<>();
    for (SessionContext each : contexts.values()) {
      if (!each.loop().isShuttingDown()) {
        done.add(each.loop().submit(() -> work.accept(each)));
      }
    }
    done.forEach(each -> each.awaitUninterruptibly(LOOPS_END_MILLIS));
    return done.stream().allMatch(Future::isSuccess);
  }

  /**
   * These names are of no role of the shard any more, or of roles that are not what they were.
   * Blocks until all loops have taken that in: a loop may serve a client that comes afterwards
   * before its tasks.
   */
  public void rolesEnded(int shard, Set<String> roles) {
    onLoopsNow(each -> each.allPools().forEach(pools -> pools.rolesEnded(shard, roles)));
  }

  /**
   * These shards count from now on. Blocks until all loops have taken that in.
   *
   * @return false if a loop is busy for long: to be called again before a plan has them
   */
  public boolean takeShards(List<String> names) {
    parts.metrics().takeShards(names);
    return onLoopsNow(each -> each.takeShards(names));
  }

  /** The configuration has changed: takes over what can be. */
  public void reconfigure() {
    connector.forgetAccounts();
    connector.takeHosts();
    PoolConfig limits = parts.config().get().pool();
    onLoops(
        each -> {
          each.pools().setLimits(limits);
          each.standbyPools().ifPresent(pools -> pools.setLimits(limits.withoutFailoverWait()));
        });
  }

  /** Stops to listen; clients end with their transactions. */
  public void drain() {
    draining = true;
    stopListening();
    onLoops(
        each -> {
          List.copyOf(each.sessions()).forEach(Session::drain);
          // They may take up to login_timeout, and have begun nothing.
          List.copyOf(strangers.getOrDefault(each.loop(), Set.of())).forEach(Channel::close);
        });
  }

  private List<ChannelFuture> stopListening() {
    List<ChannelFuture> closed = acceptors.stream().map(Channel::close).toList();
    Path file = socketFile;
    if (file != null) {
      socketFile = null;
      removeSocket(file);
    }
    return closed;
  }

  /**
   * Stops everything; blocks until the loops have ended, but not for good. Does nothing the second
   * time.
   */
  @Override
  public void close() {
    stopListening().forEach(ChannelFuture::awaitUninterruptibly);
    for (SessionContext context : contexts.values()) {
      context
          .loop()
          .submit(
              () -> {
                List.copyOf(context.sessions()).forEach(Session::terminate);
                context.allPools().forEach(LoopPools::close);
              })
          .awaitUninterruptibly();
    }
    // All is closed by now; a loop whose transport does not come to its end must not keep us.
    loops
        .shutdownGracefully(20, 1_000, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(LOOPS_END_MILLIS);
    background.shutdown();
  }
}
