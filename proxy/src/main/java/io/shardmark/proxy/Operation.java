package io.shardmark.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.admin.AdminCommands;
import io.shardmark.proxy.admin.GrowthControl;
import io.shardmark.proxy.admin.ProxyControl;
import io.shardmark.proxy.admin.ProxyState;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.growth.Growth.MoveInfo;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.session.SessionView;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.standby.HostWatch;
import io.shardmark.proxy.standby.ShardPrimary.HostView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an administrator sees of a running proxy and does to it, by command or by signal. Any
 * thread; slow work is done on its own thread.
 */
final class Operation implements ProxyState, ProxyControl, GrowthControl {
  private static final Logger LOG = LoggerFactory.getLogger(Operation.class);

  private final ConfigFile file;
  private final Background background;
  private final Supplier<NettyClients> clients;
  private final Executor thread;
  private final long startNanos = System.nanoTime();
  private volatile OperationMode mode = OperationMode.RUNNING;

  /** What an administrator has the proxy do; an order that does not fit is refused. */
  enum OperationMode {
    RUNNING,
    PAUSED,
    DRAINING;

    OperationMode paused() {
      if (this == DRAINING) {
        throw new ConfigException("the proxy is draining");
      }
      return PAUSED;
    }

    OperationMode resumed() {
      if (this != PAUSED) {
        throw new ConfigException("the proxy is not paused");
      }
      return RUNNING;
    }
  }

  /**
   * @param clients asked only once clients are served
   */
  Operation(ConfigFile file, Background background, Supplier<NettyClients> clients) {
    this.file = file;
    this.background = background;
    this.clients = clients;
    this.thread = background.parts().runner().threads("operation", 1);
  }

  /** The commands over this proxy. */
  AdminCommands commands() {
    return new AdminCommands(this, this, this);
  }

  /** "" if clients should come here, else one line. */
  String whyNotReady() {
    return mode == OperationMode.RUNNING ? background.whyNotReady() : "the proxy is " + mode();
  }

  @Override
  public CompletionStage<String> reload() {
    return CompletableFuture.supplyAsync(
        () -> {
          HostWatch watch = background.parts().watch();
          background.reload(counting -> file.reload(counting, watch::requireHosts));
          clients.get().configChanged();
          background.takeShards();
          watch.takeHosts();
          background.configChanged();
          LOG.info("configuration reloaded");
          return "";
        },
        thread);
  }

  /** The same for SIGHUP: what is wrong goes to the log. */
  void reloadBySignal() {
    var unused =
        reload()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    LOG.warn("not reloaded: {}", String.valueOf(cause.getMessage()));
                  }
                });
  }

  @Override
  public CompletionStage<String> pause() {
    return change(OperationMode::paused, () -> clients.get().pause().thenApply(paused -> ""));
  }

  @Override
  public CompletionStage<String> resume() {
    return change(
        OperationMode::resumed,
        () -> {
          clients.get().resume();
          return CompletableFuture.completedStage("");
        });
  }

  /** Clients are paused and resumed in the order in which the mode changes. */
  private synchronized CompletionStage<String> change(
      UnaryOperator<OperationMode> order, Supplier<CompletionStage<String>> ofClients) {
    try {
      mode = order.apply(mode);
      return ofClients.get();
    } catch (ConfigException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  @Override
  public CompletionStage<String> drain() {
    drainAndExit();
    return CompletableFuture.completedStage("draining");
  }

  @Override
  public CompletionStage<String> shutdown() {
    end(Duration.ZERO);
    return CompletableFuture.completedStage("shutting down");
  }

  /** Waits for transactions up to drain_timeout, then ends the process with status 0. */
  void drainAndExit() {
    end(file.get().background().drainTimeout());
  }

  private synchronized void end(Duration patience) {
    boolean again = mode == OperationMode.DRAINING;
    mode = OperationMode.DRAINING;
    // The second signal does not wait; the first one's thread may be waiting.
    Thread end = new Thread(() -> endNow(again ? Duration.ZERO : patience), "end");
    end.start();
  }

  /** Ends the process whatever happens. */
  private void endNow(Duration patience) {
    try {
      drainFor(patience);
      clients.get().close();
      background.close();
    } catch (Throwable e) { // top of a thread
      LOG.error("an internal error while the proxy ends", e);
    } finally {
      // Not System.exit: an exit that a signal began waits for its handler, which is us.
      Runtime.getRuntime().halt(0);
    }
  }

  private void drainFor(Duration patience) {
    LOG.info("draining for up to {} s", patience.toSeconds());
    try {
      clients
          .get()
          .drain()
          .toCompletableFuture()
          .get(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS);
      LOG.info("drained");
    } catch (TimeoutException e) {
      LOG.warn(
          "transactions are still open after {} s; they are rolled back", patience.toSeconds());
    } catch (ExecutionException e) {
      LOG.error("draining failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public CompletionStage<String> add(String shard) {
    return asked(() -> background.growth().add(shard));
  }

  @Override
  public CompletionStage<String> cancel(String shard) {
    return asked(() -> background.growth().cancel(shard));
  }

  @Override
  public CompletionStage<Map<String, String>> additions() {
    return asked(() -> background.growth().additions());
  }

  @Override
  public CompletionStage<String> move(String partition, String shard) {
    return asked(() -> background.growth().move(partition, shard));
  }

  @Override
  public CompletionStage<String> rebalance() {
    return asked(() -> background.growth().rebalance());
  }

  @Override
  public CompletionStage<String> cancel(int move) {
    return asked(() -> background.growth().cancel(move));
  }

  @Override
  public CompletionStage<List<MoveInfo>> moves() {
    return asked(() -> background.growth().moves());
  }

  /** A question to the shards. */
  private interface AdminQuestion<T> {
    T ask() throws SQLException;
  }

  private <T> CompletionStage<T> asked(AdminQuestion<T> question) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return question.ask();
          } catch (SQLException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
          }
        },
        thread);
  }

  @Override
  public ProxyConfig config() {
    return file.get();
  }

  @Override
  public ShardMap shardMap() {
    return background.map().get();
  }

  @Override
  public List<ShardStatus> shards() {
    return background.catalog().status();
  }

  @Override
  public Endpoint place(int shard) {
    return background.parts().hosts().lastHost(shard);
  }

  @Override
  public List<HostView> hosts() {
    return background.parts().watch().hosts();
  }

  @Override
  public List<String> catalogProblems() {
    List<String> problems = new ArrayList<>(background.parts().identities().problems());
    problems.addAll(background.parts().watch().problems());
    problems.addAll(background.parts().runner().problems());
    problems.addAll(clients.get().problems());
    problems.addAll(background.catalog().problems());
    return problems;
  }

  @Override
  public ProxyMetrics metrics() {
    return background.parts().metrics();
  }

  @Override
  public long uptimeNanos() {
    return System.nanoTime() - startNanos;
  }

  @Override
  public String mode() {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public CompletionStage<List<SessionView>> clients() {
    return clients.get().clients();
  }

  @Override
  public CompletionStage<List<ServerInfo>> servers() {
    return clients.get().servers();
  }

  @Override
  public CompletionStage<List<TransactionInfo>> transactions() {
    return clients
        .get()
        .transactions()
        .thenCompose(ofClients -> background.transactions(ofClients, thread));
  }

  @Override
  public CompletionStage<DeadlockDetector.Waits> locks() {
    return background.locks(thread);
  }
}
