/**
 * Brings rows to where they belong: PostgreSQL's binary COPY, JDBC batches, CSV files. A writer
 * belongs to one worker thread; {@link io.shardmark.loader.writer.CsvFiles} is shared by all.
 */
@NullMarked
package io.shardmark.loader.writer;

import org.jspecify.annotations.NullMarked;
