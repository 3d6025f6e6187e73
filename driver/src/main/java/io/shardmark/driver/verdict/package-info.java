/**
 * What a run's figures are worth: one verdict, computed once from the figures, the same wherever it
 * is shown. Pure.
 */
@NullMarked
package io.shardmark.driver.verdict;

import org.jspecify.annotations.NullMarked;
