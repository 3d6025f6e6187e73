/**
 * Database servers of this machine's packages, for tests: private, on 127.0.0.1 and free ports,
 * gone when they are closed.
 */
@NullMarked
package io.shardmark.servers;

import org.jspecify.annotations.NullMarked;
