/** Tests of what a run asks of its database. */
@NullMarked
package io.shardmark.driver.run;

import org.jspecify.annotations.NullMarked;
