package io.shardmark.driver.replication;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.RowText;

/**
 * Where rows are. Ids are cut into lanes, so that the first and the last row of each lane show how
 * many statements were executed in it: inserts go on at its end, deletes take its oldest rows. A
 * lane belongs to one table, and to one terminal in a run. A row's {@code c9} says the how manieth
 * of its lane it is, counted from 1.
 *
 * @param statements of a transaction, which writes rows of one lane
 */
record TableLayout(int tables, int rows, int statements, int width) {
  static final int LANES = 256;

  /** 256 of them fill the positive integers. */
  static final int IDS_OF_LANE = 1 << 23;

  private static final int NARROW = 10;
  private static final int WIDE = 255;
  private static final RowText TEXT = new RowText(4096);

  static TableLayout of(PropertyReader values) {
    int rows = values.integer(ReplicationKey.ROWS);
    int statements = values.integer(ReplicationKey.STATEMENTS_PER_COMMIT);
    int width = values.integer(ReplicationKey.TEXT_WIDTH);
    if (rows % statements != 0) {
      throw values.bad(
          ReplicationKey.ROWS, "a multiple of statementsPerCommit=" + statements + ", or 0");
    }
    if (width != NARROW && width != WIDE) {
      throw values.bad(ReplicationKey.TEXT_WIDTH, "255 or 10");
    }
    return new TableLayout(values.integer(ReplicationKey.TABLES), rows, statements, width);
  }

  boolean isWide() {
    return width == WIDE;
  }

  String text(int id, int column) {
    return TEXT.of(id, column, width);
  }

  static String name(int table) {
    return "t" + (table + 1);
  }

  int tableOf(int lane) {
    return lane % tables;
  }

  int lanesOf(int table) {
    return (LANES - table - 1) / tables + 1;
  }

  /** A lane's place when those of one table follow each other. */
  int placeOf(int lane) {
    int place = lane / tables;
    for (int table = 0; table < tableOf(lane); table++) {
      place += lanesOf(table);
    }
    return place;
  }

  /**
   * The rows that one of several subscriptions replicates. All rows of a transaction are of one
   * lane, so a standby shows them together.
   */
  static String shareFilter(int share, int shares) {
    return shares == 1 ? "" : " WHERE (c1 / %d %% %d = %d)".formatted(IDS_OF_LANE, shares, share);
  }

  static int id(int lane, int offset) {
    return lane * IDS_OF_LANE + offset;
  }

  static int laneOf(int id) {
    return id / IDS_OF_LANE;
  }

  static int first(int lane) {
    return id(lane, 0);
  }
}
