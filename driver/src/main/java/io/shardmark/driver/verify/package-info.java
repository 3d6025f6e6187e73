/**
 * The consistency conditions of TPC-C 3.3.2 and the population of 4.3.3, checked over the whole
 * database with set-based SQL. Reads only; talks to the database through JDBC and starts its own
 * short-lived threads.
 */
@NullMarked
package io.shardmark.driver.verify;

import org.jspecify.annotations.NullMarked;
