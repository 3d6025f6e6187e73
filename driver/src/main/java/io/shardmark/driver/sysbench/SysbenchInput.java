package io.shardmark.driver.sysbench;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;

/**
 * The input of one transaction. Immutable: the arrays are never changed.
 *
 * @param tables the table of each kind of statement, from 1, in the order of {@link StatementKind};
 *     a delete and its insert have the same
 * @param ids in the order of the statements; for an insert the new value of {@code k}
 * @param texts the new values of {@code c} and {@code pad}, in the order of the statements
 * @param isDistributed true if the rows that it touches are on more than one shard
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares inputs
record SysbenchInput(
    TransactionType type, int[] tables, int[] ids, String[] texts, boolean isDistributed)
    implements Transaction {}
