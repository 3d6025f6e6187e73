package io.shardmark.driver.verify;

/**
 * Whether the data are still as the loader left them.
 *
 * @param verdict {@link Verdict#PASS} as loaded, {@link Verdict#NOT_APPLICABLE} changed, {@link
 *     Verdict#ERROR} not known
 * @param reason what has changed, or the database's message
 */
public record LoadState(Verdict verdict, String reason) {
  /** As loaded. */
  public static final LoadState AS_LOADED = new LoadState(Verdict.PASS, "");

  /**
   * @param change what has changed
   */
  public static LoadState changed(String change) {
    return new LoadState(Verdict.NOT_APPLICABLE, "only after a load: " + change);
  }
}
