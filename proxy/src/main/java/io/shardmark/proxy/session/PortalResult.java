package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.SuspendedResult;
import org.jspecify.annotations.Nullable;

/** How far the executions of a portal of the proxy's have come. */
final class PortalResult implements ResultKeeper {
  private enum Executions {
    NONE,
    SOME
  }

  private Executions executions = Executions.NONE;

  /** What an Execute with a row limit has left. */
  private @Nullable SuspendedResult suspended;

  @Override
  public @Nullable SuspendedResult suspended() {
    return suspended;
  }

  @Override
  public void keep(SuspendedResult rest) {
    suspended = rest;
  }

  /** An Execute begins. */
  void begin() {
    executions = Executions.SOME;
  }

  boolean hasBegun() {
    return executions == Executions.SOME;
  }

  /** Whether an Execute has ended it. */
  boolean isOver() {
    return hasBegun() && suspended == null;
  }

  void close() {
    if (suspended != null) {
      suspended.close();
      suspended = null;
    }
  }
}
