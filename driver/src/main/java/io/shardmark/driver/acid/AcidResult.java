package io.shardmark.driver.acid;

/**
 * One test and how it ended.
 *
 * @param clause of TPC-C, such as {@code 3.4.2.1}
 * @param title what is tested, a few words
 * @param outcome what was seen, one sentence without its full stop
 */
public record AcidResult(String clause, String title, AcidVerdict verdict, String outcome) {}
