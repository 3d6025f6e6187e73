package io.shardmark.sql.shards;

/** What spreads the rows of one endpoint over several servers. */
public enum Sharding {
  /**
   * The sharding proxy. Scripts get a partition for each part of a shard, a session can be led to
   * one shard, and a load can go past the endpoint.
   */
  PROXY("sql.sharded"),
  /** A Citus coordinator: it alone is spoken to, in SQL that Citus can plan. */
  CITUS("sql.citus");

  private final String scriptFolder;

  Sharding(String scriptFolder) {
    this.scriptFolder = scriptFolder;
  }

  /** Where scripts are looked for before the folder of the database. */
  public String scriptFolder() {
    return scriptFolder;
  }
}
