/**
 * PostgreSQL's wire protocol, versions 3.0 and 3.2 (PG18 §54 protocol): messages as values, their
 * bytes, framing, SCRAM, error fields. Pure: knows buffers, no channel, no clock.
 */
@NullMarked
package io.shardmark.proxy.protocol;

import org.jspecify.annotations.NullMarked;
