package io.shardmark.proxy.placement;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a mover says to the other proxies, in as many parts as a notification's size demands.
 *
 * @param move its number
 * @param parts of the whole message
 * @param tables of this part: names without schema
 */
record MoveMessage(int move, int parts, Set<String> tables) {
  /** Of 8,000 bytes that a notification may have (PG18 NOTIFY). */
  private static final int PART_LENGTH = 7_000;

  MoveMessage {
    tables = Set.copyOf(tables);
  }

  /** The texts of all parts. */
  static List<String> texts(int move, Set<String> tables) {
    List<StringBuilder> parts = new ArrayList<>(List.of(new StringBuilder()));
    for (String table : tables) {
      if (parts.get(parts.size() - 1).length() > PART_LENGTH) {
        parts.add(new StringBuilder());
      }
      parts
          .get(parts.size() - 1)
          .append(' ')
          .append(URLEncoder.encode(table, StandardCharsets.UTF_8));
    }
    return parts.stream().map(names -> move + " " + parts.size() + names).toList();
  }

  /** One part; empty if it is none. */
  static Optional<MoveMessage> read(String text) {
    String[] words = text.split(" ", -1);
    if (words.length < 3) {
      return Optional.empty();
    }
    try {
      List<String> tables = new ArrayList<>();
      for (int i = 2; i < words.length; i++) {
        tables.add(URLDecoder.decode(words[i], StandardCharsets.UTF_8));
      }
      return Optional.of(
          new MoveMessage(
              Integer.parseInt(words[0]), Integer.parseInt(words[1]), Set.copyOf(tables)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
