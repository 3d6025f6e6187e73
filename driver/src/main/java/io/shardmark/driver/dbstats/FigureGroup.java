package io.shardmark.driver.dbstats;

/**
 * One query for figures. If it fails, its figures are left out.
 *
 * @param sql gives either one row whose column labels name the figures, or rows of name and value
 * @param layout which of the two
 * @param kind what the numbers are
 */
record FigureGroup(String sql, Layout layout, Kind kind) {

  /** How the query gives its figures. */
  enum Layout {
    ONE_ROW,
    NAME_AND_VALUE
  }

  /** What the numbers are. */
  enum Kind {
    /** Only grow until the server starts again; the increase is of interest. */
    COUNTER,
    /** Go up and down; the greatest value of an interval is of interest. */
    LEVEL,
    /** Sizes that are dear to find out: read at the start and the end of an interval only. */
    SIZE
  }

  static FigureGroup counters(String sql) {
    return new FigureGroup(sql, Layout.ONE_ROW, Kind.COUNTER);
  }

  static FigureGroup levels(String sql) {
    return new FigureGroup(sql, Layout.ONE_ROW, Kind.LEVEL);
  }

  static FigureGroup sizes(String sql) {
    return new FigureGroup(sql, Layout.ONE_ROW, Kind.SIZE);
  }

  FigureGroup asNameAndValue() {
    return new FigureGroup(sql, Layout.NAME_AND_VALUE, kind);
  }
}
