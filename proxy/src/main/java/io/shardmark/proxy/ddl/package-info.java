/**
 * Changes of the schema: on the shards that they concern, in the tables that the transaction sees,
 * and kept from other clients' statements until the shard map shows them.
 */
@NullMarked
package io.shardmark.proxy.ddl;

import org.jspecify.annotations.NullMarked;
