/** Tests of the model of a run's result and of the file that it is written to. */
@NullMarked
package io.shardmark.driver.results;

import org.jspecify.annotations.NullMarked;
