package io.shardmark.driver.measure;

import io.shardmark.driver.results.Latency;
import java.util.List;

/**
 * One second that is over, and the latencies around it, for those who watch a run. Immutable.
 *
 * @param second since the start of the measurement interval; negative in the ramp-up
 * @param types what each type did in it, at its index
 * @param recent due-time latencies of each type in the last 5 to 10 seconds up to this one
 * @param measured the same since the measurement interval began; in the ramp-up, since that began
 */
public record LiveSecond(
    long second, List<SecondFigures> types, List<Latency> recent, List<Latency> measured) {
  public LiveSecond {
    types = List.copyOf(types);
    recent = List.copyOf(recent);
    measured = List.copyOf(measured);
  }
}
