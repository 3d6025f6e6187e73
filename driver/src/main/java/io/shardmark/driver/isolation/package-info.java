/**
 * {@code workload=isolation}: transactions that append to lists and read them, whose history is
 * checked for anomalies when the run is over.
 */
@NullMarked
package io.shardmark.driver.isolation;

import org.jspecify.annotations.NullMarked;
