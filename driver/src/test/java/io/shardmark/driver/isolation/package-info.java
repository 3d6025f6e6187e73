/** Tests of the isolation workload, on a real PostgreSQL where one is needed. */
@NullMarked
package io.shardmark.driver.isolation;

import org.jspecify.annotations.NullMarked;
