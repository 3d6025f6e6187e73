/**
 * What a run's figures are worth and what limited it: verdict, bottleneck, thresholds and the audit
 * of the driver's own input. Each is a pure function of the result, computed once and the same
 * wherever it is shown. {@link io.shardmark.driver.judge.Limits} has every limit that they judge
 * by.
 */
@NullMarked
package io.shardmark.driver.judge;

import org.jspecify.annotations.NullMarked;
