/** Tests of the replication workload. */
@NullMarked
package io.shardmark.driver.replication;

import org.jspecify.annotations.NullMarked;
