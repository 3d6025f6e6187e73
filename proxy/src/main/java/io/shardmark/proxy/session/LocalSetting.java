package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import java.util.List;

/**
 * A parameter that a transaction has set for its own rest, or for the session after it has set some
 * so: shards that it reaches later are told in the same order.
 *
 * @param name in lower case; "all" for all
 * @param sql what servers are told
 * @param reset back to where server connections begin
 */
record LocalSetting(String name, String sql, boolean reset) {
  /** What is in force in a transaction that has set these, in order. */
  static SessionSettings over(SessionSettings settings, List<LocalSetting> local) {
    SessionSettings inForce = settings;
    for (LocalSetting one : local) {
      inForce = one.name.equals("all") ? settings.withIdentityOf(inForce) : one.over(inForce);
    }
    return inForce;
  }

  private SessionSettings over(SessionSettings before) {
    // The role goes with the session user.
    SessionSettings kept =
        name.equals(SessionSettings.SESSION_USER) ? before.without(SessionSettings.ROLE) : before;
    return reset ? kept.without(name) : kept.with(name, sql);
  }
}
