package io.shardmark.proxy.execution;

import org.jspecify.annotations.Nullable;

/** Keeps what an Execute has left: a portal. */
public interface ResultKeeper {
  /** For what is executed to its end. */
  ResultKeeper NONE =
      new ResultKeeper() {
        @Override
        public @Nullable SuspendedResult suspended() {
          return null;
        }

        @Override
        public void keep(SuspendedResult rest) {
          rest.close(); // nobody can ask for it
        }
      };

  /** What is left, or null: nothing has been executed yet. */
  @Nullable SuspendedResult suspended();

  /** Keeps it until the portal is closed. */
  void keep(SuspendedResult rest);
}
