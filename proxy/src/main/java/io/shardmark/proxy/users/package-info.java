/**
 * Who may log in: the users of the configuration, or the roles of the shards. Reads these over JDBC
 * as a background task; event loops ask for what was read.
 */
@NullMarked
package io.shardmark.proxy.users;

import org.jspecify.annotations.NullMarked;
