package io.shardmark.config;

import static io.shardmark.config.PropertyKey.METRICS_PORT;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a run can be watched while it goes on.
 *
 * @param listener key {@code metricsPort}: where the page and the metrics are served; empty if they
 *     are not
 */
public record LiveConfig(Optional<Listener> listener) {
  /** Only this machine: the page has no login. */
  private static final String DEFAULT_HOST = "127.0.0.1";

  private static final int HIGHEST_PORT = 65535;
  private static final Pattern ADDRESS =
      Pattern.compile("(?:(?:\\[([0-9A-Fa-f:.%\\w]+)\\]|([\\w.-]+)):)?(\\d{1,5})");

  /**
   * An address to listen on.
   *
   * @param host name or address, an IPv6 address without brackets; not resolved yet
   * @param port 0 .. 65535; 0 is any free one
   * @param written the key's place and its value, for messages
   */
  public record Listener(String host, int port, String written) {}

  /** Reads the keys of the live view. */
  static LiveConfig read(PropertyReader reader) {
    return new LiveConfig(
        reader.text(METRICS_PORT).map(String::strip).map(text -> listener(reader, text)));
  }

  private static Listener listener(PropertyReader reader, String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > HIGHEST_PORT) {
      throw reader.bad(
          METRICS_PORT,
          "a port from 0 to 65535, or an address and a port such as 0.0.0.0:9188 or [::1]:9188");
    }
    String host = DEFAULT_HOST;
    if (matcher.group(1) != null) {
      host = matcher.group(1);
    } else if (matcher.group(2) != null) {
      host = matcher.group(2);
    }
    return new Listener(host, Integer.parseInt(matcher.group(3)), reader.found(METRICS_PORT));
  }
}
