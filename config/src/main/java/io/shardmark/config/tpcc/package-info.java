/** What TPC-C is told by a properties file. Values only; any thread. */
@NullMarked
package io.shardmark.config.tpcc;

import org.jspecify.annotations.NullMarked;
