package io.shardmark.config;

import java.util.Optional;

/**
 * How a run can be watched while it goes on.
 *
 * @param console key {@code console}
 * @param listener key {@code metricsPort}: where the page and the metrics are served; empty if they
 *     are not
 */
public record LiveConfig(ConsoleMode console, Optional<Listener> listener) {

  /**
   * An address to listen on.
   *
   * @param host name or address, an IPv6 address without brackets; not resolved yet
   * @param port 0 .. 65535; 0 is any free one
   * @param written where the key stands and its value, for messages
   */
  public record Listener(String host, int port, String written) {}
}
