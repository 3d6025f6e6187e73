/** Tests of the statement profiles on real databases. */
@NullMarked
package io.shardmark.driver.tpcc.statements;

import org.jspecify.annotations.NullMarked;
