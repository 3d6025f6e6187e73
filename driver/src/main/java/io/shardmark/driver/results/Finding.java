package io.shardmark.driver.results;

/**
 * One thing that is to be said of a run.
 *
 * @param cause in figures
 * @param advice what to do next, with keys as a properties file accepts them; may be empty
 */
public record Finding(VerdictKind kind, String cause, String advice) {

  /** One line: kind, cause in figures, what to do. */
  public String sentence() {
    return kind.text()
        + (cause.isEmpty() ? "" : ": " + cause)
        + (advice.isEmpty() ? "" : "; " + advice);
  }
}
