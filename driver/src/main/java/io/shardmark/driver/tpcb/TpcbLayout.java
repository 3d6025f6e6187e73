package io.shardmark.driver.tpcb;

/** How the tables are made. */
enum TpcbLayout {
  PGBENCH,
  /** 64-bit integers, and fillers of 72 and 80 characters in all rows. */
  BIGINT;

  /** The step of a build. */
  String tableCreates() {
    return this == PGBENCH ? "tableCreates" : "bigintTableCreates";
  }
}
