/**
 * What the database server says of itself during a run: commits, log volume, lock waits, buffer
 * hits, sizes. Read on its own connection by one daemon thread, seldom enough not to matter; a
 * figure that cannot be had is a note and never ends the run.
 */
@NullMarked
package io.shardmark.driver.dbstats;

import org.jspecify.annotations.NullMarked;
