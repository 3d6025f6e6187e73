/**
 * What is counted and how Prometheus reads it. Event loops write counters of their own without
 * locks; a scrape, on a thread of its own, adds them up.
 */
@NullMarked
package io.shardmark.proxy.metrics;

import org.jspecify.annotations.NullMarked;
