/**
 * What this process itself used during an interval: processor time, memory, garbage collection. The
 * JVM's and the kernel's counters; nothing runs while transactions do, except a listener that the
 * JVM calls after a collection.
 */
@NullMarked
package io.shardmark.driver.selfcheck;

import org.jspecify.annotations.NullMarked;
