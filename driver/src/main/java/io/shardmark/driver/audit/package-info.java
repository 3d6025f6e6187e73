/**
 * Judges what the driver itself fed into the system by the bounds of the workload (TPC-C 9.2.2.5).
 * Pure; runs after the measurement interval.
 */
@NullMarked
package io.shardmark.driver.audit;

import org.jspecify.annotations.NullMarked;
