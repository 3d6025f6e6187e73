/**
 * How a client's transaction ends: drives the states of {@code commit} with the participants'
 * server connections. Knows no client and no session. All of it runs on the participants' event
 * loop.
 */
@NullMarked
package io.shardmark.proxy.transaction;

import org.jspecify.annotations.NullMarked;
