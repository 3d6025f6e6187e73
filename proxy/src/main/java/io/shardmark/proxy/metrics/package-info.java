/**
 * What is counted and how Prometheus reads it. Event loops write their own counters without locks;
 * a scrape, on its own thread, adds them up.
 */
@NullMarked
package io.shardmark.proxy.metrics;

import org.jspecify.annotations.NullMarked;
