/**
 * Statements on several shards, answered as one: rows merged, counts added up, cursors over the
 * shards' portals.
 */
@NullMarked
package io.shardmark.proxy.scatter;

import org.jspecify.annotations.NullMarked;
