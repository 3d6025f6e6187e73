package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;

/**
 * The input of one transaction.
 *
 * @param isDistributed true if the rows that it writes are on more than one shard
 */
record TpcbInput(
    TpcbScript script,
    TransactionType type,
    int accountId,
    int branchId,
    int tellerId,
    int delta,
    boolean isDistributed)
    implements Transaction {}
