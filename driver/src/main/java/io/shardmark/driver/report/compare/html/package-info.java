/**
 * Comparisons and histories as HTML pages, made of the parts of the report's. Nothing is computed
 * here but rounding.
 */
@NullMarked
package io.shardmark.driver.report.compare.html;

import org.jspecify.annotations.NullMarked;
