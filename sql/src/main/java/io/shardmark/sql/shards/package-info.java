/**
 * Which shard has which rows, as an endpoint reports it, and how the benchmark's tables are laid
 * out over shards: by the sharding proxy, by Citus, or not at all on one server. Pure but for what
 * reads the map and moves parts of it; values are immutable.
 */
@NullMarked
package io.shardmark.sql.shards;

import org.jspecify.annotations.NullMarked;
