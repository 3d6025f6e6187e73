/**
 * Sockets and event loops: accepts clients, connects to shards, puts pools and sessions together
 * for each loop, and stops them. Used by {@code Main} and tests.
 */
@NullMarked
package io.shardmark.proxy.server;

import org.jspecify.annotations.NullMarked;
