/**
 * The report as one HTML page: a model of what it shows, whose JSON the page's script draws. All
 * figures come from {@link io.shardmark.driver.results.reader.RunData}; nothing is computed here
 * but rounding and verdicts.
 */
@NullMarked
package io.shardmark.driver.report;

import org.jspecify.annotations.NullMarked;
