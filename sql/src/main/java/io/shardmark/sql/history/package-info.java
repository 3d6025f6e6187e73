/**
 * Judges what clients of a database have seen: transactions that append to lists and read them in,
 * anomalies out. Pure; knows no database.
 */
@NullMarked
package io.shardmark.sql.history;

import org.jspecify.annotations.NullMarked;
