/**
 * Finishes what coordinators left behind: reads the shards' prepared transactions, learns or makes
 * the decision on their anchors, and deletes old decisions. Uses JDBC on threads of its own, never
 * an event loop.
 */
@NullMarked
package io.shardmark.proxy.recovery;

import org.jspecify.annotations.NullMarked;
