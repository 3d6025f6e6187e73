package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SET SESSION CHARACTERISTICS as the parameters that it changes, which can be told apart and reset
 * (PG18 sql-set-transaction).
 */
final class TransactionDefaults {
  private static final Pattern LEVEL =
      Pattern.compile("(serializable|repeatable\\s+read|read\\s+committed|read\\s+uncommitted)");
  private static final Pattern ACCESS = Pattern.compile("read\\s+(only|write)");
  private static final Pattern DEFERRABLE = Pattern.compile("(not\\s+)?deferrable");

  private TransactionDefaults() {}

  static SessionSettings with(SessionSettings settings, String statement) {
    String text = statement.toLowerCase(Locale.ROOT);
    SessionSettings now = settings;
    Matcher level = LEVEL.matcher(text);
    if (level.find()) {
      String name = level.group(1).replaceAll("\\s+", " ");
      now = set(now, "default_transaction_isolation", name);
    }
    Matcher access = ACCESS.matcher(text);
    if (access.find()) {
      String only = access.group(1).equals("only") ? "on" : "off";
      now = set(now, "default_transaction_read_only", only);
    }
    Matcher deferrable = DEFERRABLE.matcher(text);
    if (deferrable.find()) {
      String on = deferrable.group(1) == null ? "on" : "off";
      now = set(now, "default_transaction_deferrable", on);
    }
    return now;
  }

  private static SessionSettings set(SessionSettings settings, String name, String value) {
    return settings.with(name, "SET " + name + " TO '" + value + "'");
  }
}
