/**
 * Checks the conditions of a benchmark's data over the whole database. Knows no benchmark. Reads
 * only; talks to the database through JDBC and starts its own short-lived threads.
 */
@NullMarked
package io.shardmark.driver.verify;

import org.jspecify.annotations.NullMarked;
