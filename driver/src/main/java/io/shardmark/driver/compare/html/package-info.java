/**
 * Comparisons and histories as HTML pages, Markdown and JSON, made of the parts of the report's.
 * Nothing is computed here but rounding.
 */
@NullMarked
package io.shardmark.driver.compare.html;

import org.jspecify.annotations.NullMarked;
