package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONSOLE;
import static io.shardmark.config.PropertyKey.METRICS_PORT;

import io.shardmark.config.LiveConfig.Listener;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the keys of the live view. */
final class LiveConfigReader {
  /** Only this machine: the page has no login. */
  private static final String DEFAULT_HOST = "127.0.0.1";

  private static final int HIGHEST_PORT = 65535;
  private static final Pattern ADDRESS =
      Pattern.compile("(?:(?:\\[([0-9A-Fa-f:.%\\w]+)\\]|([\\w.-]+)):)?(\\d{1,5})");

  private final PropertyReader reader;

  LiveConfigReader(PropertyReader reader) {
    this.reader = reader;
  }

  LiveConfig read() {
    return new LiveConfig(
        reader.name(CONSOLE, ConsoleMode.AUTO, ConsoleMode::of),
        reader.text(METRICS_PORT).map(String::strip).map(this::listener));
  }

  private Listener listener(String text) {
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
