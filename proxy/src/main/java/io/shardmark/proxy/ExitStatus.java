package io.shardmark.proxy;

/** What the process ends with. */
final class ExitStatus {
  static final int OK = 0;

  /** The configuration cannot be used, an address is taken, or --check found a problem. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  private ExitStatus() {}
}
