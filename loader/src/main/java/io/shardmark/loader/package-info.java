/**
 * The TPC-C population of clause 4.3.3: deterministic row generators and the writers that bring
 * rows into a database or a file.
 */
@NullMarked
package io.shardmark.loader;

import org.jspecify.annotations.NullMarked;
