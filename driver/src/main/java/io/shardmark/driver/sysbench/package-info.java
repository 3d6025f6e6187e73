/**
 * {@code workload=sysbench-oltp}: the OLTP tests of sysbench 1.0 on sysbench's tables, so that
 * either program can drive what the other has loaded. PostgreSQL only.
 */
@NullMarked
package io.shardmark.driver.sysbench;

import org.jspecify.annotations.NullMarked;
