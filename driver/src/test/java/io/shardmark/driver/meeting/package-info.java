/** Tests of how several drivers come together: whole groups in a real database. */
@NullMarked
package io.shardmark.driver.meeting;

import org.jspecify.annotations.NullMarked;
