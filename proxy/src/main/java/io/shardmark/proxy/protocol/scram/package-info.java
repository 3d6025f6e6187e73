/**
 * SCRAM-SHA-256 (RFC 5802, RFC 7677) as PostgreSQL uses it (PG18 §54.3 sasl-authentication), both
 * sides, without channel binding. Pure: nonces come in as arguments. Belongs to one thread, except
 * for verifiers and keys, which are values.
 */
@NullMarked
package io.shardmark.proxy.protocol.scram;

import org.jspecify.annotations.NullMarked;
