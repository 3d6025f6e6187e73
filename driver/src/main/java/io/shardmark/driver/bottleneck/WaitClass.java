package io.shardmark.driver.bottleneck;

import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.ServerWaits.Activity;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What sessions in a transaction do, in classes that a reader can do something about. */
public enum WaitClass {
  RUNNING("running", "they ran, or wanted a processor"),
  LOCKS("locks", "they waited for locks of other transactions"),
  WAL("WAL", "they waited for the WAL to be written, as a commit does"),
  DATA_FILES("data files", "they waited for data files to be read or written"),
  LATCHES("latches", "they waited for the server's own short locks (LWLock)"),
  CLIENT("idle in transaction", "they waited for the driver's next statement"),
  OTHER("other waits", "they waited for other things");

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
