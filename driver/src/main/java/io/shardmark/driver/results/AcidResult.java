package io.shardmark.driver.results;

import java.util.Objects;

/**
 * One test of TPC-C clause 3 and how it ended.
 *
 * @param clause of TPC-C, such as {@code 3.4.2.1}
 * @param title what is tested, a few words
 * @param outcome what was seen, one sentence without its full stop
 */
public record AcidResult(String clause, String title, AcidVerdict verdict, String outcome) {
  /** The file of the orders that were acknowledged before a crash. */
  public static final String RECORD = "acid-orders.csv";

  public AcidResult {
    verdict = Objects.requireNonNullElse(verdict, AcidVerdict.SKIPPED); // a newer program's word
  }
}
