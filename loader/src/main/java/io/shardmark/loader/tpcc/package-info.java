/**
 * The rows of the TPC-C population (clauses 4.3.2 and 4.3.3), as pure functions of seed, table and
 * block. No I/O, no clock, no threads: a {@link io.shardmark.loader.tpcc.RowGenerator} belongs to
 * one thread and writes into whatever {@link io.shardmark.loader.data.RowWriter} it is given.
 */
@NullMarked
package io.shardmark.loader.tpcc;

import org.jspecify.annotations.NullMarked;
