package io.shardmark.driver.sweep;

import java.util.Locale;

/** When a sweep builds its databases. */
public enum BuildMode {
  /** Those that the sweep starts itself and that keep nothing; others are there already. */
  AUTO,

  /** None; they are there already. */
  NEVER,

  /** Each once, before the first of its points; what is in it is dropped. */
  FIRST,

  /** Each before each of its points; what is in it is dropped. */
  EACH,

  /** As with {@link #AUTO}; each is reset before each of its points. */
  RESET;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
