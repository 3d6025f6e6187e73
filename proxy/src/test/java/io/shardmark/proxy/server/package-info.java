/** Real servers, real clients. */
@NullMarked
package io.shardmark.proxy.server;

import org.jspecify.annotations.NullMarked;
