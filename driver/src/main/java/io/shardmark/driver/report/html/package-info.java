/**
 * The report as one HTML page: a model of what it shows, and a template that escapes every value.
 * All figures come from {@link io.shardmark.driver.report.RunData}; nothing is computed here but
 * rounding and verdicts.
 */
@NullMarked
package io.shardmark.driver.report.html;

import org.jspecify.annotations.NullMarked;
