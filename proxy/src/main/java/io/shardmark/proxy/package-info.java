/**
 * The sharding proxy: a PostgreSQL endpoint over hash-sharded servers. This package starts the
 * parts, joins them and ends them; docs/architecture.md says what they are.
 */
@NullMarked
package io.shardmark.proxy;

import org.jspecify.annotations.NullMarked;
