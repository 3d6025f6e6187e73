/**
 * What a connection is in the middle of, as a value: which answers are owed to whom, what an error
 * makes the other side skip, who owns the unnamed statement and portal. Pure: it knows no channel,
 * no clock and no thread; the connection that a state belongs to calls it on its event loop.
 */
@NullMarked
package io.shardmark.proxy.dialog;

import org.jspecify.annotations.NullMarked;
