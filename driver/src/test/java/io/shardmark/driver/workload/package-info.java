/** Tests that the machinery serves a workload that is not TPC-C. */
@NullMarked
package io.shardmark.driver.workload;

import org.jspecify.annotations.NullMarked;
