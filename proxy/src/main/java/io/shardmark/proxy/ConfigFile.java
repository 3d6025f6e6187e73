package io.shardmark.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ProxyConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The current configuration, and how it is read again. Any thread. */
final class ConfigFile implements Supplier<ProxyConfig> {
  private final Path file;
  private volatile ProxyConfig config;

  /**
   * @throws ConfigException with one line
   */
  ConfigFile(Path file) {
    this.file = file;
    this.config = ProxyConfig.read(file);
  }

  @Override
  public ProxyConfig get() {
    return config;
  }

  /**
   * Reads the file again. The whole of it is taken over or, if something in it is wrong or needs a
   * restart, nothing.
   *
   * @param counting how many shards hold data
   * @param check refuses what the proxy cannot take over now
   * @throws ConfigException with one line
   */
  synchronized void reload(int counting, Consumer<ProxyConfig> check) {
    ProxyConfig reloaded = ProxyConfig.read(file);
    List<String> fixed = config.keysNeedingRestart(reloaded, counting);
    if (!fixed.isEmpty()) {
      throw new ConfigException(
          "%s: %s cannot change while the proxy runs; nothing was taken over"
              .formatted(file.getFileName(), String.join(", ", fixed)));
    }
    check.accept(reloaded);
    config = reloaded;
  }
}
