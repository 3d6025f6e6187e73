package io.shardmark.loader.keys;

/**
 * A lock that a statement holds on a table for as long as it runs (PG16 §13.3.1, locking-tables),
 * as far as the statements planned here meet each other.
 *
 * @param table in lower case, as written in the script
 * @param mode whether two holders can share it
 */
record TableLock(String table, LockMode mode) {
  enum LockMode {
    /** SHARE of CREATE INDEX: index builds on one table run side by side. */
    SHARED,
    /**
     * ACCESS EXCLUSIVE of ADD PRIMARY KEY, SHARE ROW EXCLUSIVE of ADD FOREIGN KEY on both its
     * tables, SHARE UPDATE EXCLUSIVE of VACUUM and ANALYZE: one at a time.
     */
    EXCLUSIVE
  }

  boolean conflictsWith(TableLock other) {
    return table.equals(other.table)
        && (mode == LockMode.EXCLUSIVE || other.mode == LockMode.EXCLUSIVE);
  }
}
