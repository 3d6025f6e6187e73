package io.shardmark.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a properties file as {@link java.util.Properties} understands it, with the line and
 * the place in the text of every value. Offsets count characters; in ISO-8859-1 these are bytes.
 */
final class PropertiesText {
  /** What an editor may put in front of an UTF-8 file, read as ISO-8859-1. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private static final String JUNK = "//";
  private static final int HEX_DIGITS = 4;

  /**
   * One key and its value.
   *
   * @param line line of the key, from 1
   * @param valueStart where the value begins in the text
   * @param valueEnd where it ends; continuation lines are inside; equal to valueStart if empty
   */
  record Entry(String key, String value, int line, int valueStart, int valueEnd) {}

  private final String name;
  private final String text;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * The logical line being read: its characters without continuations, and where each came from.
   */
  private final StringBuilder logical = new StringBuilder();

  private final List<Integer> offsets = new ArrayList<>();
  private int position;
  private int line = 1;

  private PropertiesText(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /**
   * Entries in the order of the file, a key defined twice twice. Lines that begin with {@code //},
   * which BenchmarkSQL's samples use as comments, are left out.
   *
   * @throws ConfigException if an escape is malformed
   */
  static List<Entry> entries(String name, String text) {
    PropertiesText parser = new PropertiesText(name, text);
    parser.parse();
    return List.copyOf(parser.entries);
  }

  /** Writes a value so that reading gives it back. */
  static String escape(String value) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' || (i == 0 && c == ' ')) {
        escaped.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        escaped.append("\\u%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private void parse() {
    if (text.startsWith(BYTE_ORDER_MARK)) {
      position = BYTE_ORDER_MARK.length();
    }
    while (position < text.length()) {
      skipBlanks();
      if (position == text.length()) {
        return;
      }
      char first = text.charAt(position);
      if (first == '#' || first == '!') {
        skipToLineEnd();
      } else if (isLineEnd(first)) {
        skipLineEnd();
      } else {
        int startLine = line;
        readLogicalLine();
        // Junk is not even unescaped: a path in it may look like a malformed escape.
        if (logical.length() > 0 && logical.indexOf(JUNK) != 0) {
          Entry entry = split(startLine);
          if (!entry.key().startsWith(JUNK)) {
            entries.add(entry);
          }
        }
      }
    }
  }

  private void readLogicalLine() {
    logical.setLength(0);
    offsets.clear();
    boolean escaped = false;
    while (position < text.length()) {
      char c = text.charAt(position);
      if (isLineEnd(c)) {
        skipLineEnd();
        if (!escaped) {
          return;
        }
        dropLastCharacter();
        escaped = false;
        skipBlanks();
        if (logical.length() == 0) {
          return; // a lone backslash: what follows is a line of its own
        }
      } else {
        logical.append(c);
        offsets.add(position);
        position++;
        escaped = c == '\\' && !escaped;
      }
    }
    if (escaped) {
      dropLastCharacter();
    }
  }

  private void dropLastCharacter() {
    logical.setLength(logical.length() - 1);
    offsets.remove(offsets.size() - 1);
  }

  private Entry split(int startLine) {
    int keyEnd = 0;
    boolean escaped = false;
    while (keyEnd < logical.length()) {
      char c = logical.charAt(keyEnd);
      if (!escaped && (isSeparator(c) || isBlank(c))) {
        break;
      }
      escaped = c == '\\' && !escaped;
      keyEnd++;
    }
    int valueStart = afterBlanks(keyEnd);
    if (valueStart < logical.length() && isSeparator(logical.charAt(valueStart))) {
      valueStart = afterBlanks(valueStart + 1);
    }
    String key = unescape(logical.substring(0, keyEnd), startLine);
    String value = unescape(logical.substring(valueStart), startLine);
    if (valueStart == logical.length()) {
      return new Entry(key, value, startLine, position, position);
    }
    int lastOffset = offsets.get(offsets.size() - 1);
    return new Entry(key, value, startLine, offsets.get(valueStart), lastOffset + 1);
  }

  private int afterBlanks(int from) {
    int index = from;
    while (index < logical.length() && isBlank(logical.charAt(index))) {
      index++;
    }
    return index;
  }

  private String unescape(String escapedText, int startLine) {
    StringBuilder plain = new StringBuilder(escapedText.length());
    int index = 0;
    while (index < escapedText.length()) {
      char c = escapedText.charAt(index++);
      if (c != '\\' || index == escapedText.length()) {
        plain.append(c);
        continue;
      }
      char code = escapedText.charAt(index++);
      if (code == 'u') {
        plain.append(codeUnit(escapedText, index, startLine));
        index += HEX_DIGITS;
      } else {
        plain.append(controlCharacter(code));
      }
    }
    return plain.toString();
  }

  private static char controlCharacter(char code) {
    return switch (code) {
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'f' -> '\f';
      default -> code;
    };
  }

  private char codeUnit(String escapedText, int from, int startLine) {
    int value = 0;
    for (int i = from; i < from + HEX_DIGITS; i++) {
      int digit = i < escapedText.length() ? Character.digit(escapedText.charAt(i), 16) : -1;
      if (digit < 0) {
        throw new ConfigException(
            "%s:%d: malformed \\u escape: expected four hexadecimal digits after \\u"
                .formatted(name, startLine));
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  private void skipBlanks() {
    while (position < text.length() && isBlank(text.charAt(position))) {
      position++;
    }
  }

  private void skipToLineEnd() {
    while (position < text.length() && !isLineEnd(text.charAt(position))) {
      position++;
    }
    if (position < text.length()) {
      skipLineEnd();
    }
  }

  private void skipLineEnd() {
    boolean carriageReturn = text.charAt(position) == '\r';
    position++;
    if (carriageReturn && position < text.length() && text.charAt(position) == '\n') {
      position++;
    }
    line++;
  }

  private static boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
  }

  private static boolean isSeparator(char c) {
    return c == '=' || c == ':';
  }
}
