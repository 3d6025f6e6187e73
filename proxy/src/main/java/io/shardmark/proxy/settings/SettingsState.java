package io.shardmark.proxy.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of a session or of a server connection and of the transaction that it is in. Each
 * method is an event and gives the state after it. Outside of a transaction every event is followed
 * by {@link #committed}. Immutable.
 *
 * @param base when the transaction began: what a ROLLBACK goes back to
 * @param session what a COMMIT now would leave
 * @param inForce the same with what SET LOCAL has changed
 * @param savepoints the open ones, in order
 */
public record SettingsState(
    Settings base, Settings session, Settings inForce, List<SettingsSavepoint> savepoints) {
  /** The name under which {@link #inForce} has what SET CONSTRAINTS said, as statements. */
  static final String CONSTRAINTS = "constraints";

  /**
   * The settings at a savepoint.
   *
   * @param name as it is without quotes
   */
  public record SettingsSavepoint(String name, Settings session, Settings inForce) {}

  public SettingsState {
    savepoints = List.copyOf(savepoints);
  }

  /** Nothing has been changed that is not committed. */
  public static SettingsState of(Settings settings) {
    return new SettingsState(settings, settings, settings, List.of());
  }

  /** Whether a COMMIT and a ROLLBACK would leave the same, and no savepoint is open. */
  @SuppressWarnings("ReferenceEquality") // each event that changes something makes a new object
  public boolean isSettled() {
    return base == session && session == inForce && savepoints.isEmpty();
  }

  private SettingsState with(Settings newSession, Settings newInForce) {
    return new SettingsState(base, newSession, newInForce, savepoints);
  }

  /** SET, or RESET to what a new connection has. */
  public SettingsState set(String name, Optional<String> value) {
    return with(session.with(name, value), inForce.with(name, value));
  }

  /** SET LOCAL. */
  public SettingsState setLocal(String name, Optional<String> value) {
    return with(session, inForce.with(name, value));
  }

  /** Something was executed that may set whatever it likes. */
  public SettingsState unknown() {
    return with(Settings.UNKNOWN, Settings.UNKNOWN);
  }

  /** RESET ALL, to those values. */
  public SettingsState resetAll(Settings first) {
    return with(
        first.withIdentityOf(session).withAll(hidden(first)), first.withIdentityOf(inForce));
  }

  /**
   * What the session has set and SET LOCAL ... TO DEFAULT hides until the transaction's end: RESET
   * ALL passes over it, as over everything that is at its default (guc.c, ResetAllOptions).
   */
  public Settings hidden(Settings first) {
    Map<String, String> hidden = new TreeMap<>(session.values());
    hidden.remove(Settings.ROLE);
    hidden.remove(Settings.SESSION_USER);
    hidden
        .keySet()
        .removeIf(
            name ->
                !inForce.value(name).equals(first.value(name))
                    || session.value(name).equals(first.value(name)));
    return Settings.of(hidden);
  }

  /** SET CONSTRAINTS, which a transaction's later servers get too. */
  public SettingsState constraints(String statement) {
    String all =
        inForce.value(CONSTRAINTS).map(before -> before + "; " + statement).orElse(statement);
    return setLocal(CONSTRAINTS, Optional.of(all));
  }

  /** SAVEPOINT. */
  public SettingsState savepoint(String name) {
    List<SettingsSavepoint> more = new ArrayList<>(savepoints);
    more.add(new SettingsSavepoint(name, session, inForce));
    return new SettingsState(base, session, inForce, more);
  }

  /** RELEASE; nothing if there is no such savepoint. */
  public SettingsState released(String name) {
    int index = latest(name);
    return index < 0
        ? this
        : new SettingsState(base, session, inForce, savepoints.subList(0, index));
  }

  /** ROLLBACK TO; nothing if there is no such savepoint. */
  public SettingsState rolledBackTo(String name) {
    int index = latest(name);
    if (index < 0) {
      return this;
    }
    SettingsSavepoint at = savepoints.get(index);
    return new SettingsState(base, at.session, at.inForce, savepoints.subList(0, index + 1));
  }

  private int latest(String name) {
    int index = savepoints.size() - 1;
    while (index >= 0 && !savepoints.get(index).name.equals(name)) {
      index--;
    }
    return index;
  }

  /** COMMIT, or the end of a statement that stood alone. */
  public SettingsState committed() {
    return isSettled() ? this : of(session);
  }

  /** ROLLBACK, or the end of what has failed. */
  public SettingsState rolledBack() {
    return isSettled() ? this : of(base);
  }
}
