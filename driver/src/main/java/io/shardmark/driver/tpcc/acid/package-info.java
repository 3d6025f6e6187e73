/**
 * The tests of TPC-C clause 3 on whatever a properties file names: atomicity, isolation and
 * durability, with the statements that a run of the {@code benchmarksql} profile sends. They change
 * the database as transactions do and restore what they change otherwise. The caller's thread
 * decides the order of steps; each transaction has a thread and a connection for itself.
 */
@NullMarked
package io.shardmark.driver.tpcc.acid;

import org.jspecify.annotations.NullMarked;
