package io.shardmark.driver.command;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What a command's exit status says. BenchmarkSQL ends with 0 after most faults; we do not. */
final class ExitStatus {
  static final int OK = 0;

  /**
   * The input or the environment was at fault, a step failed, or a check found something. One line
   * on standard error says what.
   */
  static final int FAILED = 1;

  /** The arguments could not be understood. */
  static final int USAGE = 2;

  /** The run was measured to its end, and broke a threshold of the key {@code failOn}. */
  static final int THRESHOLD = 4;

  /** What a shell says of a program that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  /** For the help of every verb. */
  static final Map<Integer, String> MEANINGS =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.of(
                  OK, "done",
                  FAILED, "not done, or a check found something: one line says what",
                  USAGE, "wrong usage: the command line cannot be understood",
                  THRESHOLD, "measured, and a threshold of failOn is broken",
                  INTERRUPTED, "ended by Ctrl-C")));

  private ExitStatus() {}
}
