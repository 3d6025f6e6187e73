package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.KeyValues;
import java.util.ArrayList;
import java.util.List;

/** Reads keys in PostgreSQL's text formats. */
final class KeyText {
  private KeyText() {}

  /**
   * A key of that type.
   *
   * @throws KeyFormatException if it is none, or written in a way that is not read
   */
  static Object of(KeyType type, String text) {
    return switch (type) {
      case INTEGER -> integer(text);
      case TEXT -> text;
      case UUID, DATE, TIMESTAMP -> {
        try {
          yield KeyValues.parse(type, text);
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
  static Long integer(CharSequence text) {
    int from = 0;
    int to = text.length();
    while (from < to && SqlLexer.isSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && SqlLexer.isSpace(text.charAt(to - 1))) {
      to--;
    }
    boolean negative = from < to && text.charAt(from) == '-';
    if (from < to && (negative || text.charAt(from) == '+')) {
      from++;
    }
    if (from == to || to - from > 19) {
      throw notInteger(text);
    }
    long value = 0; // negative, which reaches one further
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10) {
        throw notInteger(text);
      }
      value = value * 10 - digit;
      if (value > 0) {
        throw notInteger(text);
      }
    }
    if (!negative && value == Long.MIN_VALUE) {
      throw notInteger(text);
    }
    return negative ? value : -value;
  }

  private static KeyFormatException notInteger(CharSequence text) {
    return new KeyFormatException("the key \"" + shown(text) + "\" is not an integer");
  }

  /**
   * The elements of a one-dimensional array, without NULLs: {@code {1,NULL,"a\"b"}}.
   *
   * @throws KeyFormatException if it is none
   */
  static List<String> array(String text) {
    String trimmed = text.strip();
    if (!trimmed.startsWith("{") || !trimmed.endsWith("}") || trimmed.length() < 2) {
      throw KeyFormatException.notReadHere("the array of keys is not of the form {1,2,3}");
    }
    List<String> elements = new ArrayList<>();
    int end = trimmed.length() - 1;
    int at = 1;
    while (at < end) {
      StringBuilder element = new StringBuilder();
      boolean quoted = false;
      while (at < end && trimmed.charAt(at) != ',') {
        char c = trimmed.charAt(at);
        if (c == '{' || c == '}') {
          throw KeyFormatException.notReadHere("the array of keys has more than one dimension");
        }
        if (c == '"') {
          quoted = true;
          at = quotedElement(trimmed, at + 1, end, element);
        } else {
          element.append(c);
          at++;
        }
      }
      String value = quoted ? element.toString() : element.toString().strip();
      if (quoted || !value.equalsIgnoreCase("null")) {
        elements.add(value);
      }
      at++;
    }
    return elements;
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
