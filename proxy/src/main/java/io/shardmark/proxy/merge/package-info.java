/**
 * The rows of several shards made into the one answer that a single server would give. Pure; one
 * merger belongs to one execution on one event loop.
 */
@NullMarked
package io.shardmark.proxy.merge;

import org.jspecify.annotations.NullMarked;
