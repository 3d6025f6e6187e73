/**
 * The report as one HTML page: a model of what it shows, and a template that escapes every value.
 * All figures come from {@link io.shardmark.driver.results.reader.RunData}; nothing is computed
 * here but rounding and verdicts.
 */
@NullMarked
package io.shardmark.driver.report;

import org.jspecify.annotations.NullMarked;
