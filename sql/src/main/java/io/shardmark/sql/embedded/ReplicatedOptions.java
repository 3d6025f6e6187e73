package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of {@code embedded:replicated[?option=value&...]}: {@code standby} and those of
 * {@code embedded:postgres}, which hold for both servers.
 *
 * @param form {@code standby}: {@code physical}, the default, or {@code logical}
 * @param server {@code data} is a directory with one for each server in it, {@code port} the
 *     primary's, {@code memory} that of both together
 */
record ReplicatedOptions(Form form, EmbeddedOptions server) {
  static final String PREFIX = "embedded:replicated";
  private static final long MIN_MEMORY_BYTES = 64L << 20;

  /** How changes reach the standby. */
  enum Form {
    /** It replays the primary's log. */
    PHYSICAL,
    /** It subscribes to the primary's tables. */
    LOGICAL
  }

  static boolean isMeant(String conn) {
    return conn.equals(PREFIX) || conn.startsWith(PREFIX + "?");
  }

  /**
   * @throws ConfigException if {@code conn} is not of the form above
   */
  static ReplicatedOptions parse(String conn) {
    EmbeddedOptions.Extended options = EmbeddedOptions.parse(conn, PREFIX, List.of("standby"));
    return new ReplicatedOptions(
        Optional.ofNullable(options.own().get("standby"))
            .map(ReplicatedOptions::form)
            .orElse(Form.PHYSICAL),
        options.server());
  }

  private static Form form(String text) {
    return switch (text) {
      case "physical" -> Form.PHYSICAL;
      case "logical" -> Form.LOGICAL;
      default ->
          throw new ConfigException(
              "conn: option standby is \"%s\", expected physical or logical".formatted(text));
    };
  }

  /**
   * The options of one of the two servers.
   *
   * @param settings PostgreSQL's, which the user's go before
   */
  EmbeddedOptions of(Optional<Path> data, Optional<Integer> port, Map<String, String> settings) {
    long memory = server.memoryBytes().orElseGet(() -> EmbeddedServer.machineMemoryBytes() / 2);
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putAll(server.settings());
    return new EmbeddedOptions(
        data,
        server.keep(),
        port,
        Optional.of(Math.max(MIN_MEMORY_BYTES, memory / 2)),
        server.fsync(),
        server.connections(),
        all);
  }
}
