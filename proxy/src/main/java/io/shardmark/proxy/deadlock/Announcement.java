package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.commit.Gid;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What one proxy tells the others: a transaction that some server sees is part of this transaction
 * of mine. That stays true for ever, so it does not matter how late it is heard: a server gives a
 * virtual transaction id, and a proxy a gid, to one transaction only.
 *
 * @param startMicros when the whole transaction began, microseconds since 1970 by its proxy's
 *     clock; always the same for one transaction
 * @param part what {@link #name} makes of the server's transaction
 */
record Announcement(Party.Transaction transaction, long startMicros, String part) {
  /** Announcements that begin otherwise are another version's. */
  private static final String VERSION = "1";

  private static final int FIELDS = 5;

  /**
   * A server's transaction, the same in all proxies; "" if it cannot be distinguished from others.
   *
   * @param shardName of its shard
   */
  static String name(ServerTransaction transaction, String shardName) {
    return transaction.isPrepared()
        ? Gid.parsePrepared(transaction.name()).map(prepared -> prepared.gid().text()).orElse("")
        : transaction.name().isEmpty()
            ? ""
            : shardName + " " + transaction.processId() + " " + transaction.name();
  }

  /** The message: version, proxy, transaction, start, part. */
  String text() {
    return String.join(
        " ",
        VERSION,
        HexFormat.of().toHexDigits(transaction.proxy()),
        Long.toString(transaction.id()),
        Long.toString(startMicros),
        part);
  }

  /** Reads {@link #text}; empty if it is anything else. */
  static Optional<Announcement> parse(String text) {
    String[] fields = text.split(" ", FIELDS);
    if (fields.length < FIELDS || !fields[0].equals(VERSION) || fields[1].length() != 16) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Announcement(
              new Party.Transaction(
                  HexFormat.fromHexDigitsToLong(fields[1]), Long.parseLong(fields[2])),
              Long.parseLong(fields[3]),
              fields[4]));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
