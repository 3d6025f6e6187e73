package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Step;

/** Waits until the next statement can be planned with what has just been changed. */
final class SchemaRefresh implements Step {
  private final ClientSession session;
  private boolean begun;
  private boolean done;

  SchemaRefresh(ClientSession session) {
    this.session = session;
  }

  @Override
  public boolean advance() {
    if (!begun) {
      begun = true;
      session
          .context()
          .cluster()
          .schemaChanges()
          .changed(() -> session.context().loop().execute(this::refreshed));
    }
    return done;
  }

  private void refreshed() {
    done = true;
    session.ownTables().published();
    session.proceed();
  }
}
