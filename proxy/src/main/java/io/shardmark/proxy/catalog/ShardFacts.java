package io.shardmark.proxy.catalog;

/**
 * What the check at start compares between shards.
 *
 * @param timeZone that the database sets, as {@code TimeZone=...}, or "": a session's own hides the
 *     server's
 * @param reservedConnections of maxConnections, for superusers and other roles
 * @param database system identifier and oid: says whether two shards are the same database
 * @param inRecovery a standby, which cannot be written
 * @param superuser whether the proxy's own user may finish other users' prepared transactions
 */
record ShardFacts(
    String version,
    String encoding,
    String collation,
    String timeZone,
    boolean integerDatetimes,
    int maxPreparedTransactions,
    int maxConnections,
    int reservedConnections,
    String database,
    boolean inRecovery,
    String user,
    boolean superuser) {
  /** Distinguishes servers. */
  String server() {
    return database.substring(0, database.indexOf('/'));
  }
}
