/**
 * What happened in a run: samples, histograms, counts per interval and error classes. Workers write
 * samples without a lock; one collector thread reads them.
 */
@NullMarked
package io.shardmark.driver.measure;

import org.jspecify.annotations.NullMarked;
