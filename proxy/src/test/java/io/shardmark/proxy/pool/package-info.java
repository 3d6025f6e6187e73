/** Real servers, real clients. */
@NullMarked
package io.shardmark.proxy.pool;

import org.jspecify.annotations.NullMarked;
