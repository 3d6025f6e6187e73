/**
 * Connections to the shards: login, prepared statements, session parameters, borrowing and giving
 * back. Everything belongs to one event loop.
 */
@NullMarked
package io.shardmark.proxy.pool;

import org.jspecify.annotations.NullMarked;
