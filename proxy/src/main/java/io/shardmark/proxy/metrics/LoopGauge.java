package io.shardmark.proxy.metrics;

/** Present numbers of an event loop. */
public enum LoopGauge {
  /** Client connections, logged in or not. */
  CLIENTS("shardmark_clients", "Client connections"),
  /** Clients inside a transaction or statement. */
  CLIENTS_ACTIVE("shardmark_clients_active", "Clients in a transaction or statement"),
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
