package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A partition bound, from the text that pg_get_expr makes of it. */
sealed interface PartitionBound {
  /** FOR VALUES WITH (modulus m, remainder r). */
  record Hash(int modulus, int remainder) implements PartitionBound {}

  /** FOR VALUES IN (...); null among the values stands for NULL. */
  record Values(List<@Nullable Object> values) implements PartitionBound {}

  /**
   * FOR VALUES FROM (...) TO (...) over one column.
   *
   * @param from null is MINVALUE
   * @param to null is MAXVALUE
   */
  record Span(@Nullable Object from, @Nullable Object to) implements PartitionBound {}

  /** DEFAULT. */
  record Default() implements PartitionBound {}

  Pattern HASH = Pattern.compile("FOR VALUES WITH \\(modulus (\\d+), remainder (\\d+)\\)");
  Pattern LIST = Pattern.compile("(?s)FOR VALUES IN \\((.*)\\)");

  /** A quoted constant (quotes inside doubled), or a word or number; a cast may follow. */
  String CONSTANT = "(?:'(?:[^']|'')*'|[-A-Za-z0-9.]+)(?:::[a-z0-9 ]+)?";

  Pattern RANGE =
      Pattern.compile("(?s)FOR VALUES FROM \\((" + CONSTANT + ")\\) TO \\((" + CONSTANT + ")\\)");
  Pattern ITEM = Pattern.compile("(?s)(" + CONSTANT + ")(, |$)");

  /**
   * @throws IllegalArgumentException if the text has another form
   */
  static PartitionBound parse(String text, KeyType type) {
    if (text.equals("DEFAULT")) {
      return new Default();
    }
    Matcher hash = HASH.matcher(text);
    if (hash.matches()) {
      return new Hash(Integer.parseInt(hash.group(1)), Integer.parseInt(hash.group(2)));
    }
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      return new Span(end(range.group(1), type), end(range.group(2), type));
    }
    Matcher list = LIST.matcher(text);
    if (list.matches()) {
      return new Values(values(list.group(1), type));
    }
    throw new IllegalArgumentException("partition bound " + text);
  }

  private static @Nullable Object end(String text, KeyType type) {
    return text.equals("MINVALUE") || text.equals("MAXVALUE") ? null : constant(text, type);
  }

  private static List<@Nullable Object> values(String text, KeyType type) {
    List<@Nullable Object> values = new ArrayList<>();
    Matcher item = ITEM.matcher(text);
    int position = 0;
    while (position < text.length()) {
      if (!item.find(position) || item.start() != position) {
        throw new IllegalArgumentException("partition bound " + text);
      }
      values.add(constant(item.group(1), type));
      position = item.end();
    }
    return values;
  }

  private static @Nullable Object constant(String text, KeyType type) {
    if (text.startsWith("NULL")) {
      return null;
    }
    String bare = text;
    if (text.startsWith("'")) {
      bare = text.substring(1, text.lastIndexOf('\'')).replace("''", "'");
    }
    return switch (type) {
      case INTEGER -> Long.valueOf(bare);
      case TEXT -> bare;
      case UUID -> UuidKey.parse(bare);
    };
  }
}
