/**
 * What TPC-C feeds into the system: transaction types, inputs and their random functions, and the
 * bounds of the input audit. Pure: no socket, clock, file or JDBC. Inputs are immutable.
 */
@NullMarked
package io.shardmark.driver.tpcc.input;

import org.jspecify.annotations.NullMarked;
