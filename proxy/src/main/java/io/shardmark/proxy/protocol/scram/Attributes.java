package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.ProtocolViolationException;
import java.util.Base64;

/** A cursor over the {@code a=value,b=value} texts of RFC 5802 section 5.1. */
final class Attributes {
  private final String text;
  private int index;

  Attributes(String text, int from) {
    this.text = text;
    this.index = from;
  }

  /** The value of the next attribute, which must be this one. */
  String next(char name) {
    if (!hasNext(name)) {
      throw malformed("attribute \"" + name + "\" expected");
    }
    int comma = text.indexOf(',', index);
    int end = comma < 0 ? text.length() : comma;
    String value = text.substring(index + 2, end);
    index = Math.min(end + 1, text.length());
    return value;
  }

  boolean hasNext(char name) {
    return text.startsWith(name + "=", index);
  }

  boolean atEnd() {
    return index >= text.length();
  }

  /** Where the next attribute begins. */
  int index() {
    return index;
  }

  static ProtocolViolationException malformed(String message) {
    return new ProtocolViolationException("malformed SCRAM message: " + message);
  }

  static byte[] base64(String value) {
    try {
      return Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      throw malformed("not base64");
    }
  }

  /** RFC 5802's nonce: printable ASCII without a comma. */
  static String nonce(String value) {
    if (value.isEmpty() || !value.chars().allMatch(c -> c > 0x20 && c < 0x7F && c != ',')) {
      throw malformed("nonce is not printable");
    }
    return value;
  }
}
