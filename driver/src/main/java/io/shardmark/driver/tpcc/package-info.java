/**
 * The TPC-C benchmark, revision 5.11: inputs and transactions. The rules are pure; the statement
 * profiles talk JDBC.
 */
@NullMarked
package io.shardmark.driver.tpcc;

import org.jspecify.annotations.NullMarked;
