package io.shardmark.loader;

/** Tells the workers of a load to stop. Safe on any thread. */
final class StopSignal {
  private volatile boolean set;

  void set() {
    set = true;
  }

  boolean isSet() {
    return set;
  }
}
