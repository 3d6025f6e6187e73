package io.shardmark.driver.run;

/** What a command's exit status says. BenchmarkSQL ends with 0 after most faults; we do not. */
public final class ExitStatus {
  public static final int OK = 0;

  /**
   * The input or the environment was at fault, a step failed, or a check found something. One line
   * on standard error says what.
   */
  public static final int FAILED = 1;

  /** The arguments could not be understood. */
  public static final int USAGE = 2;

  /**
   * The run was measured to its end, and broke a threshold of the key {@code failOn}; or the latest
   * run of a history is worse than usual.
   */
  public static final int THRESHOLD = 4;

  private ExitStatus() {}
}
