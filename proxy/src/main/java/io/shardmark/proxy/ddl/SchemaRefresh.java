package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits until the next statement can be planned with what has just been changed. */
public final class SchemaRefresh implements ExecutionStep {
  private final Execution execution;
  private final OwnTables ownTables;
  private final TransactionCatalogs catalogs;
  private boolean begun;
  private boolean done;

  public SchemaRefresh(Execution execution, OwnTables ownTables, TransactionCatalogs catalogs) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
  }

  /** Waits until the current map shows all that was committed before. */
  public static ExecutionStep reading(Execution execution, TransactionCatalogs catalogs) {
    return ExecutionStep.DONE.then(
        () -> {
          AtomicBoolean read = new AtomicBoolean();
          catalogs.changed(
              () -> {
                read.set(true);
                execution.loop().execute(execution::proceed);
              });
          return read::get;
        });
  }

  @Override
  public boolean advance() {
    if (!begun && ownTables.isReadLater()) {
      catalogs.changedUnseen();
      ownTables.published();
      done = true;
    } else if (!begun) {
      catalogs.changed(() -> execution.loop().execute(this::refreshed));
    }
    begun = true;
    return done;
  }

  private void refreshed() {
    done = true;
    ownTables.published();
    execution.proceed();
  }
}
