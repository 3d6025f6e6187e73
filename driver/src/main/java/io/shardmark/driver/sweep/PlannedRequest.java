package io.shardmark.driver.sweep;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a plan keeps of the command that began it: enough to repeat it, and to see whether a later
 * command asks for the same. Holds no password.
 */
record PlannedRequest(
    List<PlannedDatabase> databases,
    List<Integer> terminals,
    int repeat,
    double settleSeconds,
    BuildMode build,
    boolean verify,
    Map<String, String> overrides,
    @Nullable SearchRequest search) {

  PlannedRequest {
    databases = List.copyOf(databases);
    terminals = List.copyOf(terminals);
    overrides = new TreeMap<>(overrides);
  }

  /**
   * @param file as it was named
   * @param parameter its value of what the sweep varies, by key; empty if that is nothing
   * @param sha256 of the file and the overrides, passwords left out
   */
  record PlannedDatabase(String name, String file, Map<String, String> parameter, String sha256) {
    PlannedDatabase {
      // Plans that were begun before there were parameters have none.
      parameter = parameter == null ? Map.of() : Map.copyOf(parameter);
    }
  }

  static PlannedRequest of(SweepRequest request) {
    return new PlannedRequest(
        request.databases().stream()
            .map(
                database ->
                    new PlannedDatabase(
                        database.name(),
                        database.file().toString(),
                        database.parameter(),
                        sha256(database.properties().maskedText())))
            .toList(),
        request.terminals(),
        request.repeat(),
        request.settle().toMillis() / 1000.0,
        request.build(),
        request.verify(),
        request.overrides(),
        request.search().orElse(null));
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(text.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * @param now what is asked now
   * @throws ConfigException if that is something else, naming the first difference
   */
  void requireSame(PlannedRequest now, String directory) {
    differ(directory, "databases", names(), now.names());
    differ(directory, "keys", overrides, now.overrides());
    for (int i = 0; i < databases.size(); i++) {
      if (!databases.get(i).sha256().equals(now.databases().get(i).sha256())) {
        throw new ConfigException(
            "%s: the sweep there was begun with other properties than %s has now: expected the same, or another --output"
                .formatted(directory, now.databases().get(i).file()));
      }
    }
    differ(directory, "--terminals", terminals, now.terminals());
    differ(directory, "--repeat", repeat, now.repeat());
    differ(directory, "--settle in seconds", settleSeconds, now.settleSeconds());
    differ(directory, "--build", build, now.build());
    differ(directory, "verification", verify, now.verify());
    differ(directory, "--search", String.valueOf(search), String.valueOf(now.search()));
  }

  private List<String> names() {
    return databases.stream().map(PlannedDatabase::name).toList();
  }

  private static void differ(String directory, String what, Object then, Object now) {
    if (!then.equals(now)) {
      throw new ConfigException(
          "%s: the sweep there was begun with %s %s, this one has %s: expected the same, or another --output"
              .formatted(directory, what, then, now));
    }
  }
}
