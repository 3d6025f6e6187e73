package io.shardmark.driver.results;

import java.util.List;

/**
 * The fault of the driver that ended a run.
 *
 * @param thread name of the thread that met it
 * @param cause class and message
 * @param afterSeconds since the session began
 * @param trace where, from the inside out; the causes of the cause at its end
 */
public record Fault(String thread, String cause, double afterSeconds, List<String> trace) {
  public Fault {
    trace = List.copyOf(trace);
  }

  /** One sentence for people. */
  public String sentence() {
    return "thread %s failed after %.1f s: %s%s"
        .formatted(thread, afterSeconds, cause, trace.isEmpty() ? "" : " at " + trace.get(0));
  }
}
