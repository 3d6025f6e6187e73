/** Tests of intervals against made-up series. */
@NullMarked
package io.shardmark.driver.report.estimate;

import org.jspecify.annotations.NullMarked;
