package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;

/** Waits until the next statement can be planned with what has just been changed. */
public final class SchemaRefresh implements Step {
  private final Execution execution;
  private final OwnTables ownTables;
  private final SchemaChanges catalogs;
  private boolean begun;
  private boolean done;

  public SchemaRefresh(Execution execution, OwnTables ownTables, SchemaChanges catalogs) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
  }

  @Override
  public boolean advance() {
    if (!begun) {
      begun = true;
      catalogs.changed(() -> execution.loop().execute(this::refreshed));
    }
    return done;
  }

  private void refreshed() {
    done = true;
    ownTables.published();
    execution.proceed();
  }
}
