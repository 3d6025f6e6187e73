/**
 * Emulated users in motion: when each is due, which worker serves it, on which connection, and how
 * errors and retries are handled. Threads live here; TPC-C does not.
 */
@NullMarked
package io.shardmark.driver.terminal;

import org.jspecify.annotations.NullMarked;
