/**
 * What the loader's engine must know of a benchmark's rows: tables, units that are loaded as a
 * whole, and a source of the rows. Nothing here knows a benchmark.
 */
@NullMarked
package io.shardmark.loader.data;

import org.jspecify.annotations.NullMarked;
