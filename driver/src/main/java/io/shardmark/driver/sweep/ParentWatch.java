package io.shardmark.driver.sweep;

import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process when the sweep that started it has ended, however that ended: standard input is
 * a pipe that the sweep holds open and writes nothing to. A run ends as by SIGTERM, its files
 * whole.
 */
public final class ParentWatch {
  private static final String PROPERTY = "shardmark.endsWithParent";

  /** That of a process that SIGTERM ended. */
  static final int STATUS = 143;

  private ParentWatch() {}

  /** The flag for Java that makes a process watch. */
  static String flag() {
    return "-D" + PROPERTY + "=true";
  }

  /** Begins to watch, if this process was started by a sweep. */
  public static void startIfAsked() {
    if (Boolean.getBoolean(PROPERTY)) {
      Thread watch = new Thread(() -> awaitEnd(System.in), "parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  private static void awaitEnd(InputStream pipe) {
    try {
      while (pipe.read() >= 0) {
        // What comes means nothing; only the end does.
      }
    } catch (IOException e) {
      // A pipe that cannot be read has nobody at its other end.
    }
    System.exit(STATUS);
  }
}
