/**
 * The seam between a benchmark and the machinery that drives it: what a workload must offer to be
 * paced, measured, recorded and audited. Nothing here knows TPC-C. Types are immutable unless they
 * say otherwise.
 */
@NullMarked
package io.shardmark.driver.benchmark;

import org.jspecify.annotations.NullMarked;
