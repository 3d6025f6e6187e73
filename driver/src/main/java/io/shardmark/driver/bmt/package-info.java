/**
 * {@code workload=bmt}: the published benchmark of single-row operations on one table of wide rows,
 * with a commit every so many statements. PostgreSQL only.
 */
@NullMarked
package io.shardmark.driver.bmt;

import org.jspecify.annotations.NullMarked;
