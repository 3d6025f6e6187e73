package io.shardmark.proxy;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ClientTls;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.admin.AdminCommands;
import io.shardmark.proxy.admin.AdminSession;
import io.shardmark.proxy.admin.ProxyState.ServerInfo;
import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import io.shardmark.proxy.admin.ShardMapTable;
import io.shardmark.proxy.admin.TextTable;
import io.shardmark.proxy.ddl.PartitionMoves;
import io.shardmark.proxy.local.ProxyRows;
import io.shardmark.proxy.pool.LoopPools;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.pool.ShardPool;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.ddl.ShardDdlPlanner;
import io.shardmark.proxy.server.ProxyParts;
import io.shardmark.proxy.server.ProxyServer;
import io.shardmark.proxy.session.CancelKeys;
import io.shardmark.proxy.session.Notifiers;
import io.shardmark.proxy.session.Session;
import io.shardmark.proxy.session.SessionContext;
import io.shardmark.proxy.session.SessionView;
import io.shardmark.proxy.session.login.ClientLoginConfig;
import io.shardmark.proxy.session.login.TlsForClients;
import io.shardmark.proxy.users.UserDirectory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients with {@link ProxyServer}, whose event loops it asks for what the process wants to
 * know. Any thread; only {@link #close} blocks.
 */
final class NettyClients implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  private final UserDirectory users;
  private final ProxyServer server;
  private final ChannelGroup administrators;
  private final AtomicInteger resumes = new AtomicInteger();
  private final ScheduledExecutorService watcher;

  private NettyClients(
      UserDirectory users,
      ProxyServer server,
      ChannelGroup administrators,
      ScheduledExecutorService watcher) {
    this.watcher = watcher;
    this.administrators = administrators;
    this.users = users;
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param config asked again after {@link #configChanged}
   * @throws io.shardmark.config.ConfigException if the address cannot be bound
   */
  static NettyClients start(
      Supplier<ProxyConfig> config,
      Background background,
      AdminCommands admin,
      PartitionMoves moves) {
    ProxyConfig now = config.get();
    UserDirectory users =
        new UserDirectory(
            background.parts().connections(),
            config,
            background.decisionTables()::createSoon,
            background.parts().runner());
    users.start();
    ClientLoginConfig login =
        new ClientLoginConfig(
            users,
            now.limits().loginTimeout(),
            now.tls().map(TlsForClients::create).orElse(null),
            now.tls().map(ClientTls::policy).orElse(ClientTls.Policy.ALLOW));
    ChannelGroup administrators = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    ProxyServer server =
        ProxyServer.start(
            new ProxyParts(
                config,
                background.parts().hosts(),
                background.map(),
                new PlanCache(
                    new ShardDdlPlanner(
                        () -> config.get().sharding(), () -> config.get().unshardedTables())),
                login,
                background.parts().metrics(),
                shard ->
                    background
                        .parts()
                        .identities()
                        .whyClosed(background.parts().connections().shardName(shard)),
                new SessionContext.Cluster(
                    config,
                    new CancelKeys(),
                    new Notifiers(),
                    background.gids(),
                    background.recovery(),
                    background.catalog(),
                    topic -> rows(ShardMapTable.of(topic, background.map().get(), config.get())),
                    background.placementChanges(),
                    moves,
                    (shard, host, since, limit) ->
                        standbyShows(background, shard, host, since, limit))),
            (channel, client) -> {
              administrators.add(channel);
              AdminSession.start(channel, client, config, admin);
            });
    background.catalog().whenRolesEnd(server::rolesEnded);
    background.serveBy(server::takeShards);
    background.detectDeadlocks(server);
    return new NettyClients(
        users, server, administrators, background.parts().runner().threads("clients", 1));
  }

  private static boolean standbyShows(
      Background background,
      int shard,
      @Nullable SocketAddress host,
      long sinceNanos,
      long limitNanos) {
    long changed = background.map().changedNanos();
    return background
        .parts()
        .watch()
        .hasStandbyThatShows(
            shard, host, changed - sinceNanos > 0 ? changed : sinceNanos, limitNanos);
  }

  private static ProxyRows.OwnRows rows(TextTable table) {
    return new ProxyRows.OwnRows(table.columns(), table.rows());
  }

  /** Where it listens; the port is the real one if 0 was asked for. */
  InetSocketAddress address() {
    return server.address();
  }

  /** Lets no transaction begin; complete when none is under way. */
  CompletionStage<Void> pause() {
    int before = resumes.get();
    return onLoops(
            loop -> {
              loop.allPools().forEach(LoopPools::pause);
              return List.of();
            })
        .thenCompose(paused -> await(() -> resumes.get() != before || nothingUnderWay()))
        .thenRun(
            () -> {
              if (resumes.get() != before) {
                throw new ConfigException("the proxy has been resumed meanwhile");
              }
            });
  }

  private boolean nothingUnderWay() {
    return onLoops(loop -> loop.sessions().stream().filter(Session::isUnderWay).toList())
        .join()
        .isEmpty();
  }

  /** Ends a pause. */
  void resume() {
    resumes.incrementAndGet();
    var unused =
        onLoops(
            loop -> {
              loop.allPools().forEach(LoopPools::resume);
              List.copyOf(loop.sessions()).forEach(Session::resumed);
              return List.of();
            });
  }

  /** Accepts nobody; complete when no client is in a transaction. Who is idle is sent away. */
  CompletionStage<Void> drain() {
    server.drain();
    // They have no transactions to wait for.
    var unused = administrators.close();
    return await(() -> server.clientCount() == 0);
  }

  /** The configuration was read anew. */
  void configChanged() {
    users.readAgain();
    server.reconfigure();
  }

  /** What keeps users from the shards, one line each. */
  List<String> problems() {
    return users.problems();
  }

  CompletionStage<List<SessionView>> clients() {
    return onLoops(loop -> loop.sessions().stream().map(Session::view).toList());
  }

  private static List<String> names(SessionContext loop, List<Integer> shards) {
    return shards.stream().map(loop.pools().shardNames()::get).toList();
  }

  /** Those of clients that are over several shards. */
  CompletionStage<List<TransactionInfo>> transactions() {
    return onLoops(
        loop -> {
          List<TransactionInfo> transactions = new ArrayList<>();
          for (Session session : loop.sessions()) {
            SessionView client = session.view();
            client
                .transaction()
                .ifPresent(
                    one ->
                        transactions.add(
                            new TransactionInfo(
                                Optional.of(client.id()),
                                one.gid(),
                                names(loop, one.shards()),
                                one.state(),
                                TimeUnit.NANOSECONDS.toSeconds(one.ageNanos()),
                                "")));
          }
          return transactions;
        });
  }

  CompletionStage<List<ServerInfo>> servers() {
    return onLoops(
        loop -> {
          List<ServerInfo> servers = new ArrayList<>();
          for (LoopPools pools : loop.allPools()) {
            for (ShardPool pool : pools.all()) {
              String shard = pools.shardNames().get(pool.shard());
              pool.servers().forEach(one -> servers.add(server(shard, pool.user(), one)));
            }
          }
          return servers;
        });
  }

  private static ServerInfo server(String shard, String user, ServerConnection server) {
    ServerUser holder = server.user();
    String state = holder == null ? "idle" : server.hasAnswered() ? "held" : "active";
    return new ServerInfo(
        shard,
        server.processId(),
        user,
        state,
        Optional.ofNullable(holder).map(ServerUser::clientId),
        TimeUnit.NANOSECONDS.toSeconds(server.ageNanos()));
  }

  /** Asks every loop on its own thread; completes with all answers together. */
  private <T> CompletableFuture<List<T>> onLoops(Function<SessionContext, List<T>> question) {
    List<CompletableFuture<List<T>>> answers = new ArrayList<>();
    for (SessionContext loop : server.loops()) {
      answers.add(CompletableFuture.supplyAsync(() -> question.apply(loop), loop.loop()));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<T> together = new ArrayList<>();
              answers.forEach(answer -> together.addAll(answer.join()));
              return together;
            });
  }

  /** Completes on the watcher's thread when the condition holds. */
  private CompletionStage<Void> await(BooleanSupplier condition) {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    look(condition, reached);
    return reached;
  }

  private void look(BooleanSupplier condition, CompletableFuture<Void> reached) {
    var unused =
        watcher.schedule(
            () -> {
              try {
                if (condition.getAsBoolean()) {
                  reached.complete(null);
                } else {
                  look(condition, reached);
                }
              } catch (RuntimeException e) {
                reached.completeExceptionally(e); // or the waiting task would wait for ever
                throw e;
              }
            },
            LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Closes every connection; open transactions are rolled back. */
  @Override
  public void close() {
    server.close();
  }
}
