/**
 * The drivers of one run meet in a table of the database under test: who is there, whether they fit
 * together, when they start and end. Knows no transactions and no result files.
 */
@NullMarked
package io.shardmark.driver.meeting;

import org.jspecify.annotations.NullMarked;
