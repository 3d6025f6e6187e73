/** What is counted and how Prometheus reads it. */
@NullMarked
package io.shardmark.proxy.metrics;

import org.jspecify.annotations.NullMarked;
