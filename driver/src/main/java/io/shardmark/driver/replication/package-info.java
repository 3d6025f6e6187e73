/**
 * {@code workload=replication}: the published tests of replication, AT-P26 and AT-P55. Transactions
 * go to a primary; a follower observes what its standby has applied. PostgreSQL only.
 */
@NullMarked
package io.shardmark.driver.replication;

import org.jspecify.annotations.NullMarked;
