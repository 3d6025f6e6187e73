/**
 * Compares runs: reads result directories and published figures, brings runs of the same system
 * together, computes ratios with their intervals and finds what makes runs unlike. Knows no page.
 * One thread; the arithmetic knows no files.
 */
@NullMarked
package io.shardmark.driver.compare;

import org.jspecify.annotations.NullMarked;
