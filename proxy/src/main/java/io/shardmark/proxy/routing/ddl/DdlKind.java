package io.shardmark.proxy.routing.ddl;

/** What is to be known of a DDL statement in addition to its texts. */
enum DdlKind {
  /** Changes tables: the shard map is read anew. */
  SCHEMA(true, true),
  /** Changes what the shard map does not show. */
  OTHER(true, false),
  /** May be refused in a transaction block, and changes tables. */
  SCHEMA_ALONE(false, true),
  /** May be refused in a transaction block. */
  ALONE(false, false);

  private final boolean transactional;
  private final boolean changesMap;

  DdlKind(boolean transactional, boolean changesMap) {
    this.transactional = transactional;
    this.changesMap = changesMap;
  }

  boolean transactional() {
    return transactional;
  }

  boolean changesMap() {
    return changesMap;
  }
}
