/**
 * Which table lives where: the shards, the tables, their sharding columns and partition bounds, as
 * values. Pure and immutable; shared by all threads.
 */
@NullMarked
package io.shardmark.proxy.shardmap;

import org.jspecify.annotations.NullMarked;
