/**
 * One client: login, the protocol's state, transactions over shards. Everything belongs to the
 * client's event loop.
 */
@NullMarked
package io.shardmark.proxy.session;

import org.jspecify.annotations.NullMarked;
