package io.shardmark.driver.live.screen;

/** Which characters a terminal can show. */
enum Glyphs {
  UNICODE("█", "░", " · "),
  ASCII("#", ".", " | ");

  private final String full;
  private final String empty;
  private final String dot;

  Glyphs(String full, String empty, String dot) {
    this.full = full;
    this.empty = empty;
    this.dot = dot;
  }

  /** Stands between two facts. */
  String dot() {
    return dot;
  }

  /**
   * A bar.
   *
   * @param share 0 .. 1 of it is full
   */
  String bar(double share, int width) {
    int filled = (int) Math.round(Math.max(0, Math.min(1, share)) * width);
    return full.repeat(filled) + empty.repeat(width - filled);
  }
}
