/**
 * {@code workload=tpcb}: pgbench's transactions on pgbench's tables, so that either program can
 * drive what the other has loaded. PostgreSQL only.
 */
@NullMarked
package io.shardmark.driver.tpcb;

import org.jspecify.annotations.NullMarked;
