/** How far a figure of a run, or a ratio of two, can be trusted. Pure. */
@NullMarked
package io.shardmark.driver.results.estimate;

import org.jspecify.annotations.NullMarked;
