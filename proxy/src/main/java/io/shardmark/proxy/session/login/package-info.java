/**
 * A client's way from the first byte to a session: TLS, startup packet, SCRAM. A handler belongs to
 * its channel's event loop and leaves when it is done.
 */
@NullMarked
package io.shardmark.proxy.session.login;

import org.jspecify.annotations.NullMarked;
