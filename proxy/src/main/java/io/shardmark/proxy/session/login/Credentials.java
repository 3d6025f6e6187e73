package io.shardmark.proxy.session.login;

import org.jspecify.annotations.Nullable;

/** The users. Asked on event loops: answers from memory and never blocks. */
public interface Credentials {
  /** What this user must show, or null if there is no such user. */
  @Nullable Credential find(String user);

  /** A client could not prove itself: who may log in may have changed. */
  default void refused() {}
}
