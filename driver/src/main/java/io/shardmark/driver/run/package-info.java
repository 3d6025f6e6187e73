/**
 * One benchmark run from its properties to its result: opens the database, starts terminals,
 * collector and observers, ends them in order, and hands the figures on. Holds the threads of a run
 * together and little logic.
 */
@NullMarked
package io.shardmark.driver.run;

import org.jspecify.annotations.NullMarked;
