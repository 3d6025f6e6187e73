/**
 * Where the shards are, for all that opens connections to them, on event loops or outside of them;
 * and how statements are executed over JDBC.
 */
@NullMarked
package io.shardmark.proxy.shards;

import org.jspecify.annotations.NullMarked;
