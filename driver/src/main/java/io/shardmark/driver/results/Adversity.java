package io.shardmark.driver.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done to the system under test during a run, and how it took it.
 *
 * @param events key {@code events}, in the order in which they began
 * @param checks key {@code checkEvery}; null without it
 */
public record Adversity(List<EventResult> events, @Nullable RollingChecks checks) {
  public Adversity {
    events = List.copyOf(events);
  }
}
