package io.shardmark.driver.processes;

/**
 * What was used of the processors, in nanoseconds.
 *
 * @param user by programs
 * @param system by the kernel for them
 */
public record ProcessorTime(long user, long system) {
  static final ProcessorTime NONE = new ProcessorTime(0, 0);

  ProcessorTime plus(ProcessorTime more) {
    return new ProcessorTime(user + more.user, system + more.system);
  }

  /** What was used since an earlier reading. */
  public ProcessorTime since(ProcessorTime earlier) {
    return new ProcessorTime(user - earlier.user, system - earlier.system);
  }
}
