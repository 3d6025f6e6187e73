/** COPY: forwarded to one server, or dealt out to several and gathered from them. */
@NullMarked
package io.shardmark.proxy.copy;

import org.jspecify.annotations.NullMarked;
