package io.shardmark.proxy.execution;

import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What one client has set, and what RESET goes back to. Belongs to the client's event loop. */
public final class ClientSettings {
  private final Transaction transaction;
  private final UnaryOperator<Settings> known;
  private Settings first = Settings.NONE;
  private SettingsState state = SettingsState.of(Settings.NONE);
  private Set<String> custom = Set.of();

  /**
   * @param transaction of the client
   * @param known the one object for all equal settings of the event loop
   */
  public ClientSettings(Transaction transaction, UnaryOperator<Settings> known) {
    this.transaction = transaction;
    this.known = known;
  }

  /** Parameters of these names exist for the client from now on. */
  public void mayExist(Set<String> names) {
    if (!custom.containsAll(names)) {
      Set<String> more = new HashSet<>(custom);
      more.addAll(names);
      custom = Set.copyOf(more);
    }
  }

  /** Names of parameters that exist because the client has set them, whatever their values are. */
  public Set<String> custom() {
    return custom;
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
    SettingsState after = transaction.mode() == Transaction.EndMode.NONE ? now.committed() : now;
    state =
        after.isSettled() && !after.equals(before)
            ? SettingsState.of(known.apply(after.base()))
            : after;
  }

  /** The client begins with these. */
  public void beginWith(Settings settings) {
    first = known.apply(settings);
    mayExist(first.custom());
    state = SettingsState.of(first);
  }
}
