/** Tests of what TPC-C feeds into the system. */
@NullMarked
package io.shardmark.driver.tpcc.input;

import org.jspecify.annotations.NullMarked;
