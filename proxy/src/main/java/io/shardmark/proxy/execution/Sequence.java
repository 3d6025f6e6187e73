package io.shardmark.proxy.execution;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One step and the one that follows it. */
final class Sequence implements ExecutionStep {
  private ExecutionStep current;
  private @Nullable Supplier<ExecutionStep> next;

  Sequence(ExecutionStep first, Supplier<ExecutionStep> next) {
    this.current = first;
    this.next = next;
  }

  @Override
  public boolean advance() {
    while (current.advance()) {
      Supplier<ExecutionStep> following = next;
      if (following == null) {
        return true;
      }
      next = null;
      current = following.get();
    }
    return false;
  }

  @Override
  public void abandon() {
    current.abandon();
  }
}
