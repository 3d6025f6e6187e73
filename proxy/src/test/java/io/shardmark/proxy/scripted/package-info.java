/**
 * Servers that say what a test lets them say, on the proxy's own codec, without sockets: for tests
 * that compare whole exchanges as text. Used by one thread.
 */
@NullMarked
package io.shardmark.proxy.scripted;

import org.jspecify.annotations.NullMarked;
