/** Tests of what is recorded of the system under test. */
@NullMarked
package io.shardmark.driver.inventory;

import org.jspecify.annotations.NullMarked;
