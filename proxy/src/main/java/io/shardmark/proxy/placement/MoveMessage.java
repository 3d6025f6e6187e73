package io.shardmark.proxy.placement;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a mover says to the other proxies.
 *
 * @param move its number
 * @param tables names without schema; none stands for all tables
 */
record MoveMessage(int move, Set<String> tables) {
  /** Of 8,000 bytes that a notification may have (PG18 NOTIFY). */
  private static final int MOST = 7_900;

  MoveMessage {
    tables = Set.copyOf(tables);
  }

  /** So many tables that their names have no room are said to be all. */
  String text() {
    String names =
        tables.stream()
            .map(table -> " " + URLEncoder.encode(table, StandardCharsets.UTF_8))
            .collect(Collectors.joining());
    return names.length() > MOST ? move + " " : move + names;
  }

  /** Empty if it is none. */
  static Optional<MoveMessage> read(String text) {
    String[] words = text.split(" ", -1);
    try {
      return Optional.of(
          new MoveMessage(
              Integer.parseInt(words[0]),
              Arrays.stream(words)
                  .skip(1)
                  .filter(word -> !word.isEmpty())
                  .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                  .collect(Collectors.toSet())));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
