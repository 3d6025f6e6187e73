package io.shardmark.proxy.deadlock;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a proxy shows the others which of its transactions a server's transaction is part of: in a
 * comment at the beginning of whatever its monitor asks the server, where pg_stat_activity has it
 * until the next question (PG18 §27.2.3 monitoring-pg-stat-activity-view). Nothing is stored, and a
 * proxy that is killed leaves nothing. What is shown stays true, however late it is read: a server
 * gives a virtual transaction id, and a proxy a gid, to one transaction only.
 */
final class ShownParts {
  /** Comments that begin otherwise are another version's. */
  private static final String MARK = "/*shardmark 1 ";

  /** A server keeps that much of a statement, by default of track_activity_query_size. */
  private static final int MAX_LENGTH = 1023;

  private static final int RADIX = 36;
  private static final Pattern PROXY = Pattern.compile(Pattern.quote(MARK) + "([0-9a-f]{16}) ");
  private static final Pattern PART =
      Pattern.compile(
          "([0-9]+/[0-9]+|shardmark:[a-z0-9_:-]+)=([0-9a-z]{1,12})\\.([0-9a-z]{1,12});");

  /** The monitors of this role, which may cancel the transactions of all proxies anyway. */
  static final String QUERY =
      "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
          + " AND usesysid = (SELECT oid FROM pg_roles WHERE rolname = session_user)"
          + " AND pid <> pg_backend_pid() AND starts_with(query, '"
          + MARK
          + "')";

  private ShownParts() {}

  /**
   * The comment, "" if there is nothing to show; as many of the parts as a server keeps.
   *
   * @param parts keys of parts on one server, and what they are parts of, the most important first
   */
  static String comment(Map<String, Party.PartyTransaction> parts) {
    StringBuilder text = new StringBuilder();
    parts.forEach(
        (key, whole) -> {
          String start =
              text.isEmpty() ? MARK + HexFormat.of().toHexDigits(whole.proxy()) + " " : "";
          String part =
              "%s%s=%s.%s;"
                  .formatted(
                      start,
                      key,
                      Long.toString(whole.startMicros(), RADIX),
                      Long.toString(whole.id(), RADIX));
          if (text.length() + part.length() <= MAX_LENGTH) {
            text.append(part);
          }
        });
    return text.isEmpty() ? "" : text + "*/";
  }

  /** What proxies show on one server; what is cut off or is no such comment is passed over. */
  static Map<String, Party.PartyTransaction> read(List<String> statements) {
    Map<String, Party.PartyTransaction> shown = new HashMap<>();
    for (String statement : statements) {
      Matcher proxy = PROXY.matcher(statement);
      if (proxy.lookingAt()) {
        long number = HexFormat.fromHexDigitsToLong(proxy.group(1));
        Matcher part = PART.matcher(statement).region(proxy.end(), statement.length());
        while (part.lookingAt()) {
          shown.put(
              part.group(1),
              new Party.PartyTransaction(
                  number,
                  Long.parseLong(part.group(3), RADIX),
                  Long.parseLong(part.group(2), RADIX)));
          part.region(part.end(), statement.length());
        }
      }
    }
    return shown;
  }
}
