package io.shardmark.proxy;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.admin.AdminCommands;
import io.shardmark.proxy.admin.ProxyState.ClientInfo;
import io.shardmark.proxy.admin.ProxyState.ServerInfo;
import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The part that serves clients on event loops, as the process around it sees it. Any thread; only
 * {@link #close} blocks.
 */
interface ClientService extends AutoCloseable {
  /** Where it listens; the port is the real one if 0 was asked for. */
  InetSocketAddress address();

  /** Lets no transaction begin; complete when none is under way. */
  CompletionStage<Void> pause();

  void resume();

  /** Accepts nobody; complete when no client is in a transaction. Who is idle is sent away. */
  CompletionStage<Void> drain();

  /** The configuration of now is a new one. */
  void configChanged();

  /** What keeps users from the shards, one line each. */
  List<String> problems();

  CompletionStage<List<ClientInfo>> clients();

  CompletionStage<List<ServerInfo>> servers();

  /** Those of clients that are over several shards. */
  CompletionStage<List<TransactionInfo>> transactions();

  /** Closes every connection; open transactions are rolled back. */
  @Override
  void close();

  /** Starts the service. */
  @FunctionalInterface
  interface Starter {
    /**
     * Listens.
     *
     * @param config asked again after {@link #configChanged}
     * @throws io.shardmark.config.ConfigException if the address cannot be bound
     */
    ClientService start(Supplier<ProxyConfig> config, Background background, AdminCommands admin);
  }
}
