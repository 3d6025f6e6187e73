package io.shardmark.config.tpcc;

/**
 * Shares of the five transactions in percent; they add up to 100. With BenchmarkSQL 5.0's integer
 * weights the part that is missing to 100 has been given to New-Order already.
 */
public record TransactionMix(
    double newOrder, double payment, double orderStatus, double delivery, double stockLevel) {}
