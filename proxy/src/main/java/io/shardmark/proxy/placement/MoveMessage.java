package io.shardmark.proxy.placement;

import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a mover says to the other proxies. An answer is the number alone.
 *
 * @param move its number
 * @param hold what they shall keep back
 */
record MoveMessage(int move, Hold hold) {
  /** Of 8,000 bytes that a notification may have (PG18 NOTIFY). */
  private static final int MOST = 7_900;

  /** So many tables that their names have no room are said to be all. */
  String text() {
    String names =
        hold.tables().stream()
            .map(table -> " " + URLEncoder.encode(table, StandardCharsets.UTF_8))
            .collect(Collectors.joining());
    return move + " " + hold.manner() + (names.length() > MOST ? "" : names);
  }

  /** Empty if it is no such message. */
  static Optional<MoveMessage> read(String text) {
    String[] words = text.split(" ", -1);
    try {
      return Optional.of(
          new MoveMessage(
              Integer.parseInt(words[0]),
              new Hold(
                  Arrays.stream(words)
                      .skip(2)
                      .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                      .collect(Collectors.toSet()),
                  words.length > 1 ? Manner.valueOf(words[1]) : Manner.STATEMENTS)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
