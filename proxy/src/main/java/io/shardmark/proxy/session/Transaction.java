package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A client's transaction, whatever shards it is on. Belongs to the session. */
final class Transaction {
  /** How the transaction began. */
  enum Mode {
    /** There is none: each statement, or pipeline up to Sync, stands alone on its shard. */
    NONE,
    /** The proxy needs one for a statement or pipeline on several shards. */
    IMPLICIT,
    /** The client said BEGIN. */
    EXPLICIT
  }

  /**
   * A savepoint, to be repeated on shards enlisted later.
   *
   * @param name as the server knows it
   * @param settings when it was set
   */
  record Savepoint(String name, SessionSettings settings, int localSettings) {
    /** For a statement of the proxy's own, whatever characters are in it. */
    String quotedName() {
      return '"' + name.replace("\"", "\"\"") + '"';
    }
  }

  private Mode mode = Mode.NONE;
  private boolean failed;
  private boolean lost;
  private boolean undone;
  private long number;
  private long startNanos;
  private Optional<ErrorFields> untoldLoss = Optional.empty();
  private String modes = "";
  private SessionSettings settingsBefore = SessionSettings.NONE;
  private List<LocalSetting> localSettings = List.of();
  private List<Savepoint> savepoints = List.of();

  Mode mode() {
    return mode;
  }

  /** Counts the session's transactions. */
  long number() {
    return number;
  }

  /** When it began, by {@link System#nanoTime}. */
  long startNanos() {
    return startNanos;
  }

  boolean isFailed() {
    return failed;
  }

  void fail() {
    failed = true;
  }

  /** Whether there is no savepoint to go back to. */
  boolean isFailedForGood() {
    return failed && (lost || savepoints.isEmpty());
  }

  /** Whether servers have rolled it back already. */
  boolean isUndoneEarly() {
    return undone;
  }

  void undoneEarly() {
    undone = true;
  }

  /**
   * A shard's part is gone with its connection: no savepoint brings it back, and a client that has
   * seen no error yet must not take the end of it for a commit.
   */
  void lose(ErrorFields error) {
    failed = true;
    lost = true;
    untoldLoss = Optional.of(error);
  }

  /** The client has been sent an error. */
  void told() {
    untoldLoss = Optional.empty();
  }

  /** The loss that the client does not know of. */
  Optional<ErrorFields> untoldLoss() {
    return untoldLoss;
  }

  /** Back at a savepoint. */
  void recover() {
    failed = lost;
  }

  /** Begins. {@code modes}: behind BEGIN, "" if none. */
  void begin(Mode how, String newModes, SessionSettings settings) {
    mode = how;
    number++;
    startNanos = System.nanoTime();
    modes = newModes;
    failed = false;
    lost = false;
    undone = false;
    untoldLoss = Optional.empty();
    settingsBefore = settings;
  }

  /** BEGIN inside an implicit transaction. */
  void makeExplicit() {
    mode = Mode.EXPLICIT;
  }

  void end() {
    mode = Mode.NONE;
    failed = false;
    lost = false;
    undone = false;
    untoldLoss = Optional.empty();
    modes = "";
    localSettings = List.of();
    savepoints = List.of();
  }

  String modes() {
    return modes;
  }

  void addModes(String more) {
    modes = modes.isEmpty() ? more : modes + ", " + more;
  }

  SessionSettings settingsBefore() {
    return settingsBefore;
  }

  /** In order. */
  List<LocalSetting> localSettings() {
    return localSettings;
  }

  void addLocalSetting(LocalSetting setting) {
    if (localSettings.isEmpty()) {
      localSettings = new ArrayList<>();
    }
    localSettings.add(setting);
  }

  List<Savepoint> savepoints() {
    return savepoints;
  }

  void addSavepoint(String name, SessionSettings settings) {
    if (savepoints.isEmpty()) {
      savepoints = new ArrayList<>();
    }
    savepoints.add(new Savepoint(name, settings, localSettings.size()));
  }

  /** The latest savepoint of that name, or -1. */
  int savepoint(String name) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      if (savepoints.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Forgets savepoints from that one on. */
  void dropSavepoints(int from) {
    savepoints.subList(from, savepoints.size()).clear();
  }

  /** Forgets SET LOCALs given after a savepoint. */
  void dropLocalSettings(int from) {
    if (localSettings.size() > from) {
      localSettings.subList(from, localSettings.size()).clear();
    }
  }

  /** What the client sees in ReadyForQuery. */
  TransactionStatus status() {
    if (mode != Mode.EXPLICIT) {
      return TransactionStatus.IDLE;
    }
    return failed ? TransactionStatus.FAILED : TransactionStatus.IN_TRANSACTION;
  }

  /** Whether all statements see one snapshot, which two shards do not have in common. */
  boolean needsOneSnapshot(SessionSettings settings) {
    String level = modes.toLowerCase(Locale.ROOT);
    if (!level.contains("isolation")) {
      level =
          settings
              .statements()
              .getOrDefault("default_transaction_isolation", "")
              .toLowerCase(Locale.ROOT);
    }
    return level.contains("serializable") || level.contains("repeatable");
  }
}
