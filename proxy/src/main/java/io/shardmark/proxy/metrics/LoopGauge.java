package io.shardmark.proxy.metrics;

/** Present numbers of an event loop. */
public enum LoopGauge {
  /** Clients that have logged in, but not to the admin database. */
  CLIENTS("shardmark_clients", "Clients that have logged in"),
  /** Clients that hold a server connection: in pool_mode session, all that ever needed one. */
  CLIENTS_ACTIVE("shardmark_clients_active", "Clients that hold a server connection"),
  /** Two-phase commits under way. */
  TWO_PHASE_COMMITS_OPEN("shardmark_two_phase_commits_open", "Two-phase commits under way");

  private final String family;
  private final String help;

  LoopGauge(String family, String help) {
    this.family = family;
    this.help = help;
  }

  String family() {
    return family;
  }

  String help() {
    return help;
  }
}
