/** Tests of the TPC-C workload. */
@NullMarked
package io.shardmark.driver.tpcc;

import org.jspecify.annotations.NullMarked;
