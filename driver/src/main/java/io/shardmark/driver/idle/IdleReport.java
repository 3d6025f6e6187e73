package io.shardmark.driver.idle;

import java.util.Locale;

/** The lines that a helper process writes: a word, and what belongs to it. */
enum IdleReport {
  /** It has read its orders. */
  READY,
  /** So many sessions are open. */
  OPEN,
  /** A session was asked and answered rightly: nanoseconds that it took. */
  ANSWERED,
  /** A session answered something else. */
  WRONG,
  /** A session did not answer before its next turn, or before the end. */
  UNANSWERED,
  /** A session ended that should not have: which, and why. */
  LOST,
  /** A session cannot be opened: why. Nothing comes after it. */
  REFUSED,
  /** All sessions are closed. Nothing comes after it. */
  CLOSED;

  String line(Object about) {
    return name().toLowerCase(Locale.ROOT) + " " + about;
  }

  static IdleReport of(String line) {
    return valueOf(line.split(" ", 2)[0].toUpperCase(Locale.ROOT));
  }

  static String about(String line) {
    return line.substring(line.indexOf(' ') + 1);
  }
}
