/**
 * Runs the scripts that follow a load over several connections: keys, indexes, foreign keys and
 * vacuum are built at the same time where their locks allow it. Planning is pure; the runner starts
 * its own threads and ends them before it returns.
 */
@NullMarked
package io.shardmark.loader.keys;

import org.jspecify.annotations.NullMarked;
