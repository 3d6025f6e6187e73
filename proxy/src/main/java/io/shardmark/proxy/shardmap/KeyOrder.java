package io.shardmark.proxy.shardmap;

import java.util.Comparator;
import java.util.UUID;

/** Order and text form of sharding keys. */
final class KeyOrder {
  /**
   * Longs by number; strings by code point, which is the byte order of UTF-8 and so collation C.
   */
  static final Comparator<Object> VALUES = KeyOrder::compare;

  private KeyOrder() {}

  private static int compare(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Long.compare(x, y);
    }
    if (a instanceof UUID x && b instanceof UUID y) {
      return UuidKey.compare(x, y);
    }
    return compareCodePoints((String) a, (String) b);
  }

  private static int compareCodePoints(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above all others, though as chars they do not.
        boolean surrogates = Character.isSurrogate(x) != Character.isSurrogate(y);
        return surrogates ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** As SQL writes it. */
  static String literal(Object key) {
    return key instanceof Long ? key.toString() : "'" + key.toString().replace("'", "''") + "'";
  }
}
