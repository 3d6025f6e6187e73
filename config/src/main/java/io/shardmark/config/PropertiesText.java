package io.shardmark.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a properties file as {@link Properties} understands it, with the line and the place
 * in the text of every value. Offsets count characters; in ISO-8859-1 these are bytes.
 */
final class PropertiesText {
  /** What an editor may put in front of an UTF-8 file, read as ISO-8859-1. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private static final String JUNK = "//";
  private static final String LINE_END = "(?:\\r\\n|\\r|\\n)";
  private static final Pattern LINE_ENDS = Pattern.compile(LINE_END);

  /**
   * A backslash before a line end goes on with the next line, without the blanks in front of it.
   */
  private static final String BLANKS = "(?:[ \\t\\f]|\\\\" + LINE_END + ")*+";

  private static final String KEY =
      "(?:[^\\\\=: \\t\\f\\r\\n]++|\\\\" + LINE_END + "[ \\t\\f]*+|\\\\.)*+";
  private static final String VALUE = "(?:[^\\\\\\r\\n]++|\\\\(?:\\r\\n|.))*+";

  /** A comment, or a key and its value over as many lines as they take; both may be empty. */
  private static final Pattern LOGICAL_LINE =
      Pattern.compile(
          "%1$s(?:[#!][^\\r\\n]*+|(?<line>%2$s%1$s(?:[=:]%1$s)?+(?<value>%3$s))\\\\?+)(?:%4$s|\\z)"
              .formatted(BLANKS, KEY, VALUE, LINE_END),
          Pattern.DOTALL);

  private PropertiesText() {}

  /**
   * One key and its value.
   *
   * @param line line of the key, from 1
   * @param valueStart where the value begins in the text
   * @param valueEnd where it ends; continuation lines are inside; equal to valueStart if empty
   */
  record PropertyLine(String key, String value, int line, int valueStart, int valueEnd) {}

  /**
   * Entries in the order of the file, a key defined twice twice. Lines that begin with {@code //},
   * which BenchmarkSQL's samples use as comments, are left out.
   *
   * @throws ConfigException if an escape is malformed
   */
  static List<PropertyLine> entries(String name, String text) {
    List<PropertyLine> entries = new ArrayList<>();
    Matcher found = LOGICAL_LINE.matcher(text);
    found.region(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0, text.length());
    int line = 1;
    int counted = 0;
    while (found.find()) {
      String logical = found.group("line");
      // Junk is not even unescaped: a path in it may look like a malformed escape.
      if (logical == null || logical.isEmpty() || logical.startsWith(JUNK)) {
        continue;
      }
      String before = text.substring(counted, found.start("line"));
      line += (int) LINE_ENDS.matcher(before).results().count();
      counted = found.start("line");
      Properties one = load(logical, "%s:%d".formatted(name, line));
      for (String key : one.stringPropertyNames()) {
        if (!key.startsWith(JUNK)) {
          String value = one.getProperty(key);
          entries.add(new PropertyLine(key, value, line, found.start("value"), found.end("value")));
        }
      }
    }
    return List.copyOf(entries);
  }

  private static Properties load(String line, String place) {
    Properties one = new Properties();
    try {
      one.load(new StringReader(line));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          place + ": malformed \\u escape: expected four hexadecimal digits after \\u");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a text can always be read
    }
    return one;
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
}
