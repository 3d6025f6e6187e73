/**
 * From the text of a statement to the shards it needs: splitting, normalising, analysing, plans and
 * their cache, keys read from parameters. Pure; plans are immutable and shared by all threads.
 */
@NullMarked
package io.shardmark.proxy.routing;

import org.jspecify.annotations.NullMarked;
