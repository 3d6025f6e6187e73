package io.shardmark.config.proxy;

/** How clients prove who they are. */
public enum AuthMethod {
  /** They do not: for tests on one machine. */
  TRUST,
  /** SCRAM-SHA-256 against {@code users}. */
  SCRAM,
  /** SCRAM-SHA-256 against the verifiers in the first shard's pg_authid. */
  SHARDS
}
