/** What a properties file says of TPC-C. Values only; any thread. */
@NullMarked
package io.shardmark.config.tpcc;

import org.jspecify.annotations.NullMarked;
