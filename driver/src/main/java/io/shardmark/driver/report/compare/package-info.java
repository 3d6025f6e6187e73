/**
 * Lays runs beside each other: reads result directories and published figures, brings runs of the
 * same system together, computes ratios with their intervals, finds what makes runs unlike, and
 * writes the comparison as a page, as Markdown and as JSON. One thread; the arithmetic knows no
 * files.
 */
@NullMarked
package io.shardmark.driver.report.compare;

import org.jspecify.annotations.NullMarked;
