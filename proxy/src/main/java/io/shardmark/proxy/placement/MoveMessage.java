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

  /**
   * Before the number if everything is; what does not know it reads no message and is not asked.
   */
  private static final String EVERYTHING = "*";

  /** So many tables that their names have no room are said to be all. */
  String text() {
    String names =
        hold.tables().stream()
            .map(table -> " " + URLEncoder.encode(table, StandardCharsets.UTF_8))
            .collect(Collectors.joining());
    String number = sign(hold.manner()) + move;
    return names.length() > MOST ? number + " " : number + names;
  }

  private static String sign(Manner manner) {
    return switch (manner) {
      case STATEMENTS -> "";
      case TRANSACTIONS -> TRANSACTIONS;
      case EVERYTHING -> EVERYTHING;
    };
  }

  /** Empty if it is no such message. */
  static Optional<MoveMessage> read(String text) {
    String[] words = text.split(" ", -1);
    try {
      return Optional.of(
          new MoveMessage(
              Integer.parseInt(words[0].substring(text.startsWith(EVERYTHING) ? 1 : 0)),
              new Hold(
                  Arrays.stream(words)
                      .skip(1)
                      .filter(word -> !word.isEmpty())
                      .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                      .collect(Collectors.toSet()),
                  Arrays.stream(Manner.values())
                      .filter(one -> !sign(one).isEmpty() && text.startsWith(sign(one)))
                      .findFirst()
                      .orElse(Manner.STATEMENTS))));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
