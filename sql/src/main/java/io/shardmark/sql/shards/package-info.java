/**
 * Which shard has which rows, as an endpoint tells it, and how the benchmark's tables are laid out
 * over shards. Pure but for {@link io.shardmark.sql.shards.ShardMapReader}; values are immutable.
 */
@NullMarked
package io.shardmark.sql.shards;

import org.jspecify.annotations.NullMarked;
