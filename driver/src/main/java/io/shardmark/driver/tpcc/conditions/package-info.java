/** The consistency conditions of TPC-C 3.3.2 and the population of 4.3.3, as set-based SQL. */
@NullMarked
package io.shardmark.driver.tpcc.conditions;

import org.jspecify.annotations.NullMarked;
