package io.shardmark.driver.judge;

import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.ServerWaits.Activity;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What sessions in a transaction do, in classes that a reader can do something about. */
public enum WaitClass {
  RUNNING("running", "running or waiting for a processor"),
  LOCKS("locks", "waiting for locks of other transactions"),
  WAL("WAL", "waiting for the WAL to be written"),
  DATA_FILES("data files", "waiting for data files"),
  LATCHES("latches", "waiting for latches (LWLock)"),
  CLIENT("idle in transaction", "waiting for the driver's next statement"),
  OTHER("other waits", "waiting for other things");

  private final String text;
  private final String sentence;

  WaitClass(String text, String sentence) {
    this.text = text;
    this.sentence = sentence;
  }

  String text() {
    return text;
  }

  String sentence() {
    return sentence;
  }

  /** How many sessions in transactions did what at a time, by the class's text. */
  public static Map<String, Double> sessionsByText(ServerWaits waits) {
    Map<String, Double> sessions = new LinkedHashMap<>();
    sessions(waits).forEach((one, number) -> sessions.put(one.text(), number));
    return sessions;
  }

  /** Sessions in transactions, by class. */
  static Map<WaitClass, Double> sessions(ServerWaits waits) {
    Map<WaitClass, Double> sessions = new EnumMap<>(WaitClass.class);
    for (Activity activity : waits.activities()) {
      if (!activity.type().equals(ServerWaits.IDLE)) {
        sessions.merge(of(activity), activity.sessions(), Double::sum);
      }
    }
    return sessions;
  }

  /** The class of an activity other than {@link ServerWaits#IDLE}. */
  static WaitClass of(Activity activity) {
    String event = activity.event().toLowerCase(Locale.ROOT);
    if (event.startsWith("wal") || event.equals("syncrep")) {
      return WAL;
    }
    if (activity.type().startsWith(ServerWaits.IDLE_IN_TRANSACTION)) {
      return CLIENT;
    }
    return switch (activity.type()) {
      case ServerWaits.RUNNING -> RUNNING;
      case "Lock" -> LOCKS;
      case "LWLock", "BufferPin", "Buffer" -> LATCHES;
      case "IO" -> DATA_FILES;
      case "Client" -> CLIENT;
      default -> OTHER;
    };
  }
}
