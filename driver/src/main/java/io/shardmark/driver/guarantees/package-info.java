/**
 * What a system promises to the transactions of a run, by its settings: what a committed one
 * survives, and which anomalies may occur. Pure; the facts are those that a run has recorded.
 */
@NullMarked
package io.shardmark.driver.guarantees;

import org.jspecify.annotations.NullMarked;
