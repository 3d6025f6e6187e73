package io.shardmark.config;

/** Key {@code console}: how a run shows itself while it goes on. */
public enum ConsoleMode implements NamedConstant {
  /** The dashboard on a terminal that can show it, otherwise as {@link #PLAIN}. */
  AUTO,
  /**
   * The dashboard; where it cannot be shown there is a warning, and it goes on as {@link #PLAIN}.
   */
  DASHBOARD,
  /** BenchmarkSQL's status line on a terminal, a line every 10 s elsewhere. */
  PLAIN
}
