package io.shardmark.proxy;

/** Log lines of one line each, on standard error. */
final class LogFormat {
  private static final String KEY = "java.util.logging.SimpleFormatter.format";

  private LogFormat() {}

  /** Must run before the first log line; a format given on the command line wins. */
  static void use() {
    if (System.getProperty(KEY) == null) {
      System.setProperty(KEY, "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
    }
  }
}
