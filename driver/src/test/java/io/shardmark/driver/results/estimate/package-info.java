/** Tests of intervals against made-up series. */
@NullMarked
package io.shardmark.driver.results.estimate;

import org.jspecify.annotations.NullMarked;
