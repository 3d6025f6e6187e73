package io.shardmark.proxy.execution;

import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.util.function.UnaryOperator;

/** What one client has set, and what RESET goes back to. Belongs to the client's event loop. */
public final class ClientSettings {
  private final Transaction transaction;
  private final UnaryOperator<Settings> known;
  private Settings first = Settings.NONE;
  private SettingsState state = SettingsState.of(Settings.NONE);

  /**
   * @param transaction of the client
   * @param known the one object for all equal settings of the event loop
   */
  public ClientSettings(Transaction transaction, UnaryOperator<Settings> known) {
    this.transaction = transaction;
    this.known = known;
  }

  public SettingsState state() {
    return state;
  }

  /** With which the client's transaction begins, or its next statement. */
  public Settings base() {
    return state.base();
  }

  public Settings inForce() {
    return state.inForce();
  }

  /** The settings that RESET goes back to. */
  public Settings first() {
    return first;
  }

  /** In a transaction it counts from its commit on. */
  public void change(UnaryOperator<SettingsState> event) {
    SettingsState before = state;
    SettingsState now = event.apply(before);
    SettingsState after = transaction.mode() == Transaction.Mode.NONE ? now.committed() : now;
    state =
        after.isSettled() && !after.equals(before)
            ? SettingsState.of(known.apply(after.base()))
            : after;
  }

  /** The client begins with these. */
  public void beginWith(Settings settings) {
    first = known.apply(settings);
    state = SettingsState.of(first);
  }
}
