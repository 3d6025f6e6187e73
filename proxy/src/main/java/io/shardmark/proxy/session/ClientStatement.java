package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementText;

/**
 * A statement that a client has prepared. Its Parse always goes to a server, as an unnamed
 * statement if the text has been prepared before: what that text meant then need not be what it
 * means now. Later executions share the servers' statement of the text if it means the same.
 */
final class ClientStatement {
  private final String name;
  private StatementText text;
  private boolean shared;

  ClientStatement(String name, StatementText text) {
    this.name = name;
    this.text = text;
  }

  String name() {
    return name;
  }

  boolean isNamed() {
    return !name.isEmpty();
  }

  StatementText text() {
    return text;
  }

  /** Whether the servers' statement of the text is known to be this one. */
  boolean isShared() {
    return shared;
  }

  /**
   * The servers' statement of a text is this one.
   *
   * @param same the text, or a newer one that means what this client's Parse meant
   */
  void share(StatementText same) {
    text = same;
    shared = true;
  }
}
