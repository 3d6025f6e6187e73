/**
 * What the proxy answers itself, or with the help of any server: SET, DISCARD, rows that it knows,
 * refusals.
 */
@NullMarked
package io.shardmark.proxy.local;

import org.jspecify.annotations.NullMarked;
