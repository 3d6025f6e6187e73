package io.shardmark.driver.results.estimate;

/** Of intervals made alike, 95 % hold the true value if parts of a run differ by chance alone. */
public record Interval(double low, double high) {}
