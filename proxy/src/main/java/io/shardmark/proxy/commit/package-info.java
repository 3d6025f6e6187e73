/**
 * The commit of a transaction that wrote on several shards: identifiers, states, what recovery must
 * do. Pure; the session performs what it says.
 */
@NullMarked
package io.shardmark.proxy.commit;

import org.jspecify.annotations.NullMarked;
