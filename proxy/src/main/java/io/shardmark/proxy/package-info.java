/**
 * The sharding proxy: a PostgreSQL endpoint over hash-sharded servers. Its parts are not built yet;
 * docs/architecture.md says what they will be.
 */
@NullMarked
package io.shardmark.proxy;

import org.jspecify.annotations.NullMarked;
