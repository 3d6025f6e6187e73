/**
 * Agrees with the other proxies of the cluster when a transaction changes where the rows of a table
 * are, so that none of them answers a statement by a map that is older than its table. Uses JDBC on
 * threads of its own, never an event loop.
 */
@NullMarked
package io.shardmark.proxy.placement;

import org.jspecify.annotations.NullMarked;
