package io.shardmark.proxy.routing;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A bounded map by text for many threads. Two generations: when the younger one is full it becomes
 * the older one, whose unused entries are forgotten next. A hit in the younger one takes no lock.
 */
final class RecentMap<V> {
  /** Longer texts are not kept: they are rarely sent twice. */
  private static final int MAX_TEXT_LENGTH = 16 * 1024;

  private final int generationSize;
  private volatile ConcurrentHashMap<String, V> young = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<String, V> old = new ConcurrentHashMap<>();

  RecentMap(int generationSize) {
    this.generationSize = generationSize;
  }

  V get(String text, Supplier<V> maker) {
    V value = young.get(text);
    if (value != null) {
      return value;
    }
    value = old.get(text);
    if (value == null) {
      value = maker.get();
    }
    keep(text, value);
    return value;
  }

  private void keep(String text, V value) {
    if (text.length() > MAX_TEXT_LENGTH) {
      return;
    }
    if (young.size() >= generationSize) {
      turnOver();
    }
    young.put(text, value);
  }

  private synchronized void turnOver() {
    if (young.size() >= generationSize) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
  }
}
