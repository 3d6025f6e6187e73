package io.shardmark.proxy.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work of a session that takes several turns of the event loop. */
@FunctionalInterface
public interface Step {
  /** Nothing is left to do. */
  Step DONE = () -> true;

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
  default Step then(Supplier<Step> next) {
    return new Sequence(this, next);
  }

  /** This, and then what takes no time. */
  default Step thenDo(Runnable last) {
    return then(
        () -> {
          last.run();
          return DONE;
        });
  }

  /**
   * What begins with something that has to be there first.
   *
   * @param needed gives null as long as it is not there
   */
  static <T> Step with(Supplier<? extends @Nullable T> needed, Function<T, Step> next) {
    List<T> found = new ArrayList<>(1);
    Step wait =
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
