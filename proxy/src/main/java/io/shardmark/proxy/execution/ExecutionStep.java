package io.shardmark.proxy.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Work of a session that takes several turns of the event loop. */
@FunctionalInterface
public interface ExecutionStep {
  /** Nothing is left to do. */
  ExecutionStep DONE = () -> true;

  /**
   * Goes on as far as possible; called again whenever something may have changed.
   *
   * @return true when it is done
   * @throws StatementException if the statement fails; the step is over then
   */
  boolean advance();

  /** It will not go on: it has failed, or the client is gone. Releases what it holds. */
  default void abandon() {}

  /** This, and then what follows it, which is made when this is done. */
  default ExecutionStep then(Supplier<ExecutionStep> next) {
    return new Sequence(this, next);
  }

  /** This, and then what takes no time. */
  default ExecutionStep thenDo(Runnable last) {
    return then(
        () -> {
          last.run();
          return DONE;
        });
  }

  /** The same work, but a failure is replaced by what the function makes of it. */
  default ExecutionStep failing(UnaryOperator<StatementException> failure) {
    ExecutionStep step = this;
    return new ExecutionStep() {
      @Override
      public boolean advance() {
        try {
          return step.advance();
        } catch (StatementException e) {
          throw failure.apply(e);
        }
      }

      @Override
      public void abandon() {
        step.abandon();
      }
    };
  }

  /**
   * What begins with something that has to be there first.
   *
   * @param needed gives null as long as it is not there
   */
  static <T> ExecutionStep with(
      Supplier<? extends @Nullable T> needed, Function<T, ExecutionStep> next) {
    List<T> found = new ArrayList<>(1);
    ExecutionStep wait =
        () -> {
          T now = needed.get();
          if (now != null) {
            found.add(now);
          }
          return now != null;
        };
    return wait.then(() -> next.apply(found.get(0)));
  }
}
