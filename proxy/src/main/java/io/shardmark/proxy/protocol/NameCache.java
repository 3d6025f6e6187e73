package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes strings of names that come again and again (statements, portals) without making them anew
 * each time. A small table in which a name displaces the one that falls on its place; long names
 * are not kept. Belongs to one event loop.
 */
public final class NameCache {
  private static final int SLOTS = 256;
  private static final int MAX_KEPT_LENGTH = 32;

  private final @Nullable String[] slots = new String[SLOTS];

  /** The string of these bytes, read as UTF-8. */
  public String name(ByteBuf buffer, int start, int length) {
    if (length == 0) {
      return "";
    }
    if (length > MAX_KEPT_LENGTH) {
      return buffer.toString(start, length, StandardCharsets.UTF_8);
    }
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + buffer.getByte(start + i);
    }
    int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
    String kept = slots[slot];
    if (kept != null && isSame(kept, buffer, start, length)) {
      return kept;
    }
    String name = buffer.toString(start, length, StandardCharsets.UTF_8);
    slots[slot] = name;
    return name;
  }

  /** False for names that are not ASCII: they are made anew each time. */
  private static boolean isSame(String kept, ByteBuf buffer, int start, int length) {
    if (kept.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (kept.charAt(i) != buffer.getByte(start + i)) {
        return false;
      }
    }
    return true;
  }
}
