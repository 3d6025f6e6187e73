package io.shardmark.driver.bmt;

import io.shardmark.driver.benchmark.RowText;

/** The texts of a row. */
final class BmtRow {
  static final int WIDTH = 500;

  /** The columns of texts: c2 and c4 to c8. */
  static final int TEXTS = 6;

  private static final RowText TEXT = new RowText(8192);

  private BmtRow() {}

  /**
   * @param text which of the texts, from 0
   */
  static String text(int id, int text) {
    return TEXT.of(id, text, WIDTH);
  }
}
