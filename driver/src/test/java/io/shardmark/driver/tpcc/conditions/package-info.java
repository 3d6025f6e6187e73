/** Tests of the consistency conditions on real databases. */
@NullMarked
package io.shardmark.driver.tpcc.conditions;

import org.jspecify.annotations.NullMarked;
