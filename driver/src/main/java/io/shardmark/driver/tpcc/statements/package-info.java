/**
 * The statement profiles: what each TPC-C transaction says to the database and in how many round
 * trips. One executor holds the prepared statements of one connection and is used by one thread at
 * a time.
 */
@NullMarked
package io.shardmark.driver.tpcc.statements;

import org.jspecify.annotations.NullMarked;
