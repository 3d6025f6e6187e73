package io.shardmark.driver.results;

/**
 * One thing that is to be said of a run.
 *
 * @param cause in figures
 * @param advice what to do next, with keys as a properties file accepts them; may be empty
 */
public record Finding(VerdictKind kind, String cause, String advice) {

  /** One line: {@code kind: cause in figures. What to do.} */
  public String sentence() {
    return kind.text()
        + (cause.isEmpty() ? "" : ": " + cause)
        + "."
        + (advice.isEmpty() ? "" : " " + Texts.sentence(advice));
  }
}
