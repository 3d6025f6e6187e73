package io.shardmark.driver.measure;

import java.util.function.Consumer;

/** The thread of one who only watches a run: its fault is noted and harms nothing else. */
public final class ObserverThread {
  private ObserverThread() {}

  /**
   * A daemon thread, not started yet.
   *
   * @param name of the thread
   * @param observer as people know it; stands in front of what it notes
   * @param notes receives one line if the body fails
   */
  public static Thread of(String name, String observer, Consumer<String> notes, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable fault) { // top of a thread
                notes.accept(
                    observer
                        + ": stopped by a fault of its own: "
                        + fault
                        + "; its figures end here");
              }
            },
            name);
    thread.setDaemon(true);
    return thread;
  }
}
