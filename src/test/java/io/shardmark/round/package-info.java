/**
 * The whole round on databases in containers: Oracle Database Free, and Citus. Where no container
 * engine runs, a test is skipped and says so.
 */
@NullMarked
package io.shardmark.round;

import org.jspecify.annotations.NullMarked;
