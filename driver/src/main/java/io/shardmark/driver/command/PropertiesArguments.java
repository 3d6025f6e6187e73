package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.sweep.ParentPipe;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The properties file that every verb starts with, and the overrides that may follow it. */
final class PropertiesArguments {
  @Parameters(index = "0", paramLabel = "PROPS", description = "properties file, as BenchmarkSQL's")
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY VALUE",
      description = "keys that win over the file's, for example: warehouses 100 loadWorkers 8")
  private List<String> overrides = List.of();

  /** The same arguments for another verb that reads the same database; no password. */
  String words() {
    StringBuilder words = new StringBuilder(quoted(file.toString()));
    for (int i = 0; i + 1 < overrides.size(); i += 2) {
      boolean secret = overrides.get(i).equalsIgnoreCase("password");
      words.append(' ').append(overrides.get(i)).append(' ');
      words.append(secret ? "..." : quoted(overrides.get(i + 1)));
    }
    return words.toString();
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  BenchmarkProperties read() {
    return ParentPipe.properties()
        .map(text -> BenchmarkProperties.parse(Benchmarks.KEYS, file, text.value(), overrides))
        .orElseGet(() -> BenchmarkProperties.read(Benchmarks.KEYS, file, overrides));
  }
}
