package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
import java.util.ArrayList;
import java.util.List;

/** Reads keys in PostgreSQL's text formats. */
public final class KeyText {
  private KeyText() {}

  /**
   * A key of that type.
   *
   * @throws KeyFormatException if it is invalid, or written in a way that is not read
   */
  public static Object of(KeyType type, String text) {
    return switch (type) {
      case INTEGER -> integer(text);
      case TEXT -> text;
      case UUID -> {
        try {
          yield UuidKey.parse(text);
        } catch (IllegalArgumentException e) {
          throw new KeyFormatException("the key \"" + shown(text) + "\" " + e.getMessage());
        }
      }
    };
  }

  private static CharSequence shown(CharSequence text) {
    return text.length() > 40 ? text.subSequence(0, 40) + "..." : text;
  }

  /**
   * What PostgreSQL's integer types accept in every version: white space around, a sign, digits.
   *
   * @throws KeyFormatException for anything else, also for the notations newer versions know
   */
  public static Long integer(CharSequence text) {
    int from = 0;
    int to = text.length();
    while (from < to && isSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && isSpace(text.charAt(to - 1))) {
      to--;
    }
    boolean negative = from < to && text.charAt(from) == '-';
    if (from < to && (negative || text.charAt(from) == '+')) {
      from++;
    }
    if (from == to) {
      throw notInteger(text, from, to);
    }
    long value = 0; // negative, which reaches one further
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10) {
        throw notInteger(text, from, to);
      }
      value = value * 10 - digit;
      if (value > 0) {
        throw notInteger(text, from, to);
      }
    }
    if (!negative && value == Long.MIN_VALUE) {
      throw notInteger(text, from, to);
    }
    return negative ? value : -value;
  }

  /** As C's isspace() does for the types' input functions: one more than white space in SQL. */
  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static KeyFormatException notInteger(CharSequence text, int from, int to) {
    String message = "the key \"" + shown(text) + "\" is not an integer";
    boolean digits = from < to;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean base = i == from + 1 && text.charAt(from) == '0' && "xXoObB".indexOf(c) >= 0;
      boolean newer = base || c == '_';
      if (newer) { // PostgreSQL 16 reads 0x1F and 1_000
        return KeyFormatException.notReadHere(message);
      }
      digits &= c >= '0' && c <= '9';
    }
    return digits
        ? KeyFormatException.outOfRange("the key \"" + shown(text) + "\" is out of range")
        : new KeyFormatException(message);
  }

  /**
   * The elements of a one-dimensional array: {@code {1,NULL,"a\"b"}}.
   *
   * @param nulls whether NULL is one of them, as a text
   * @throws KeyFormatException if it is invalid
   */
  public static List<String> array(String text, boolean nulls) {
    int from = 0;
    int end = text.length();
    while (from < end && isSpace(text.charAt(from))) {
      from++;
    }
    while (end > from && isSpace(text.charAt(end - 1))) {
      end--;
    }
    end--;
    if (end <= from || text.charAt(from) != '{' || text.charAt(end) != '}') {
      throw KeyFormatException.notReadHere("the array of keys is not of the form {1,2,3}");
    }
    List<String> elements = new ArrayList<>();
    for (int at = from + 1; at < end; at++) {
      at = element(text, at, end, nulls, elements);
    }
    return elements;
  }

  /** Adds the element that begins there; answers where it ends, at a comma or at {@code end}. */
  private static int element(String text, int from, int end, boolean nulls, List<String> elements) {
    int at = from;
    while (at < end && isSpace(text.charAt(at))) {
      at++;
    }
    StringBuilder element = new StringBuilder();
    boolean quoted = at < end && text.charAt(at) == '"';
    if (quoted) {
      at = quotedElement(text, at + 1, end, element);
    }
    int start = at;
    while (at < end && text.charAt(at) != ',') {
      char c = text.charAt(at);
      if ("{}\"\\".indexOf(c) >= 0 || (quoted && !isSpace(c))) {
        throw KeyFormatException.notReadHere(
            "the array of keys has more than one dimension, or escapes");
      }
      at++;
    }
    int last = at;
    while (last > start && isSpace(text.charAt(last - 1))) {
      last--;
    }
    String value = quoted ? element.toString() : text.substring(start, last);
    if (quoted || nulls || !value.equalsIgnoreCase("null")) {
      elements.add(value);
    }
    return at;
  }

  private static int quotedElement(String text, int from, int end, StringBuilder element) {
    int at = from;
    while (at < end && text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at++;
      }
      element.append(text.charAt(at));
      at++;
    }
    if (at >= end) {
      throw new KeyFormatException("the array of keys has an open quote");
    }
    return at + 1;
  }
}
