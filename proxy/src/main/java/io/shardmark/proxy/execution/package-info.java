/**
 * What carries out a route gets and gives: the participants of its client's transaction, the way to
 * the client, steps, answers of servers. Knows no session and no kind of statement.
 */
@NullMarked
package io.shardmark.proxy.execution;

import org.jspecify.annotations.NullMarked;
