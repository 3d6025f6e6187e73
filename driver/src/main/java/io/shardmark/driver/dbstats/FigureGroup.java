package io.shardmark.driver.dbstats;

/**
 * One query for figures. If it fails, its figures are left out.
 *
 * @param sql gives either one row whose column labels name the figures, or rows of name and value
 */
record FigureGroup(FigureKind kind, FigureLayout layout, String sql) {
  /** How the query gives its figures. */
  enum FigureLayout {
    ONE_ROW,
    NAME_AND_VALUE
  }

  /** What the numbers are. */
  enum FigureKind {
    /** Only grow until the server starts again; the increase is of interest. */
    COUNTER,
    /** Go up and down; the greatest value of an interval is of interest. */
    LEVEL,
    /** Sizes that are expensive to read: read at the start and the end of an interval only. */
    SIZE
  }
}
