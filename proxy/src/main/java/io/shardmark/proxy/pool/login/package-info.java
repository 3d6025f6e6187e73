/**
 * A server connection's way from connect to its first ReadyForQuery: TLS, startup packet, password.
 * A handler belongs to its channel's event loop and leaves when it is done.
 */
@NullMarked
package io.shardmark.proxy.pool.login;

import org.jspecify.annotations.NullMarked;
