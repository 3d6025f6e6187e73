package io.shardmark.proxy.pool;

import java.util.Map;

/**
 * What a server reported when it let a user in, the last time that one did: what new clients are
 * told, without asking a server for each. Any thread.
 */
final class ReportedParameters {
  private volatile Map<String, String> latest = Map.of();

  /** By name, in the server's order; empty before the first login. */
  Map<String, String> latest() {
    return latest;
  }

  void keep(Map<String, String> parameters) {
    latest = parameters;
  }
}
