/**
 * Several driver processes that make one run: they meet at driver 0, agree on what is run and on
 * when it begins, and bring their result files there. Knows nothing of terminals, databases or
 * workloads. Threads: the caller's, one that drives the group in driver 0, one for each connection.
 */
@NullMarked
package io.shardmark.driver.coordination;

import org.jspecify.annotations.NullMarked;
