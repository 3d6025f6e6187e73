/** Where the shards are. For all that opens connections to them, on event loops or beside them. */
@NullMarked
package io.shardmark.proxy.shards;

import org.jspecify.annotations.NullMarked;
