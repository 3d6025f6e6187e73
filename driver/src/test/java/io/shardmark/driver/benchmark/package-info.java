/** Tests that the machinery serves a workload that is not TPC-C. */
@NullMarked
package io.shardmark.driver.benchmark;

import org.jspecify.annotations.NullMarked;
