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
 * What a mover says to the other proxies.
 *
 * @param move its number
 * @param hold what they shall keep back
 */
record MoveMessage(int move, Hold hold) {
  /** Of 8,000 bytes that a notification may have (PG18 NOTIFY). */
  private static final int MOST = 7_900;

  /** Before the number if transactions are kept back; a sign to readers of the number alone. */
  private static final String TRANSACTIONS = "+";

  /** So many tables that their names have no room are said to be all. */
  String text() {
    String names =
        hold.tables().stream()
            .map(table -> " " + URLEncoder.encode(table, StandardCharsets.UTF_8))
            .collect(Collectors.joining());
    String number = (hold.manner() == Manner.TRANSACTIONS ? TRANSACTIONS : "") + move;
    return names.length() > MOST ? number + " " : number + names;
  }

  /** Empty if it is none. */
  static Optional<MoveMessage> read(String text) {
    String[] words = text.split(" ", -1);
    try {
      return Optional.of(
          new MoveMessage(
              Integer.parseInt(words[0]),
              new Hold(
                  Arrays.stream(words)
                      .skip(1)
                      .filter(word -> !word.isEmpty())
                      .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                      .collect(Collectors.toSet()),
                  text.startsWith(TRANSACTIONS) ? Manner.TRANSACTIONS : Manner.STATEMENTS)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
