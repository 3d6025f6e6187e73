package io.shardmark.proxy.commit;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifier of a distributed transaction: {@code shardmark:<anchor>:<incarnation>:<counter>}.
 * It names its anchor, so that who finds it prepared somewhere knows whom to ask for the decision,
 * and is never used twice: an incarnation is drawn at random when a proxy starts, and counts its
 * transactions.
 *
 * <p>Each participant prepares under the gid with {@code :<participant>} after it, because two
 * shards may be two databases of one server, where names of prepared transactions are shared. The
 * colon separates because a shard's name cannot hold one.
 *
 * @param anchor name of the shard whose commit decides
 * @param incarnation the coordinating proxy's, random
 * @param counter of this incarnation, not negative
 */
public record Gid(String anchor, long incarnation, long counter) {
  /** What all our prepared transactions begin with; nobody else's may. */
  public static final String PREFIX = "shardmark:";

  /** PG18 PREPARE TRANSACTION (sql-prepare-transaction): shorter than 200 bytes. */
  public static final int MAX_LENGTH = 199;

  /** So that prefix, two names, 16 hexadecimal digits and a counter stay below the limit. */
  public static final int MAX_SHARD_NAME_LENGTH = 63;

  private static final Pattern SHARD_NAME =
      Pattern.compile("[a-z0-9_-]{1," + MAX_SHARD_NAME_LENGTH + "}");
  private static final Pattern TEXT =
      Pattern.compile("shardmark:([a-z0-9_-]{1,63}):([0-9a-f]{16}):([0-9]{1,19})");
  private static final Pattern PREPARED = Pattern.compile("(.+):([a-z0-9_-]{1,63})");

  /**
   * @throws IllegalArgumentException if the anchor is no shard name or the counter is negative
   */
  public Gid {
    requireShardName(anchor);
    if (counter < 0) {
      throw new IllegalArgumentException("gid counter is " + counter);
    }
  }

  /** Whether a shard may be called that: 1 to 63 of lower-case letters, digits, "_" and "-". */
  public static boolean isShardName(String name) {
    return SHARD_NAME.matcher(name).matches();
  }

  private static void requireShardName(String name) {
    if (!isShardName(name)) {
      throw new IllegalArgumentException(
          "shard name \"" + name + "\" is not 1 to 63 of a-z, 0-9, \"_\", \"-\"");
    }
  }

  /** The key of the decision, without a participant. */
  public String text() {
    return PREFIX + anchor + ":" + HexFormat.of().toHexDigits(incarnation) + ":" + counter;
  }

  /** The name under which that shard prepares its part; at most {@link #MAX_LENGTH} long. */
  public String textFor(String participant) {
    requireShardName(participant);
    return text() + ":" + participant;
  }

  /** Reads {@link #text}; empty if it is anything else. */
  public static Optional<Gid> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      long incarnation = HexFormat.fromHexDigitsToLong(matcher.group(2));
      return Optional.of(new Gid(matcher.group(1), incarnation, Long.parseLong(matcher.group(3))));
    } catch (NumberFormatException e) {
      // 19 digits can be more than a long holds; we never wrote that.
      return Optional.empty();
    }
  }

  /** Reads a name as pg_prepared_xacts holds it; empty if no proxy made it. */
  public static Optional<PreparedName> parsePrepared(String preparedName) {
    Matcher matcher = PREPARED.matcher(preparedName);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return parse(matcher.group(1)).map(gid -> new PreparedName(gid, matcher.group(2)));
  }

  @Override
  public String toString() {
    return text();
  }

  /**
   * What one participant has prepared.
   *
   * @param gid of the whole transaction
   * @param participant the shard's name
   */
  public record PreparedName(Gid gid, String participant) {}
}
