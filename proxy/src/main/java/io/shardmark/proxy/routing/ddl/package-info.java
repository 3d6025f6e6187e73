/**
 * Plans for DDL, maintenance and sequences: what each shard is sent, so that all of them together
 * look like one database. Where a partition lives is set by {@code WITH (shard = n)} or follows
 * from its bound. Pure; for all threads.
 */
@NullMarked
package io.shardmark.proxy.routing.ddl;

import org.jspecify.annotations.NullMarked;
