/**
 * The proxy's configuration: {@code proxy.yaml}, read and checked once. Immutable values, safe on
 * any thread; {@code docs/proxy-properties.md} lists every key.
 */
@NullMarked
package io.shardmark.config.proxy;

import org.jspecify.annotations.NullMarked;
