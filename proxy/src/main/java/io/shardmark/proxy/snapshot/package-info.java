/**
 * When snapshots of several shards may be taken so that they show every transaction whole or not at
 * all. Pure; {@code transaction} performs what it says.
 */
@NullMarked
package io.shardmark.proxy.snapshot;

import org.jspecify.annotations.NullMarked;
