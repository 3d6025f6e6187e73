/**
 * Knows which shards are those that are meant, and makes their tables of decisions. Finishes what
 * coordinators left: reads the shards' prepared transactions, learns or makes the decision on their
 * anchors, and deletes old decisions. Uses JDBC on its own threads, never an event loop.
 */
@NullMarked
package io.shardmark.proxy.recovery;

import org.jspecify.annotations.NullMarked;
