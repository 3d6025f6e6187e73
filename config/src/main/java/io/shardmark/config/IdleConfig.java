package io.shardmark.config;

import java.time.Duration;
import java.util.List;

/**
 * Sessions that are logged in beside those of the terminals and hardly used.
 *
 * @param sessions key {@code idleSessions}: how many; 0 is none
 * @param sources key {@code idleSources}: addresses of this machine that they come from; empty
 *     leaves it to the system
 * @param quiet key {@code idleQuietSecs}: how long the run is measured without them before they are
 *     opened, and again after they are closed
 */
public record IdleConfig(int sessions, List<String> sources, Duration quiet) {
  static final IdleConfig NONE = new IdleConfig(0, List.of(), Duration.ZERO);

  public IdleConfig {
    sources = List.copyOf(sources);
  }

  /** True if the run has any. */
  public boolean isAsked() {
    return sessions > 0;
  }
}
