package io.shardmark.driver.results.reader;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.Setting;
import io.shardmark.driver.registry.Benchmarks;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * {@code run.properties}. BenchmarkSQL keeps the password in it; what comes out here has none.
 *
 * @param maskedText the text without passwords
 * @param values keys and values of the same
 * @param given keys whose value is not the default
 */
public record RunPropertiesFile(String maskedText, Properties values, List<Given> given) {
  private static final long MAX_BYTES = 1 << 20;

  static RunPropertiesFile none() {
    return new RunPropertiesFile("", new Properties(), List.of());
  }

  static RunPropertiesFile read(Path file, List<String> missing) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      missing.add("run.properties is too long to be one; it was not read.");
      return none();
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try {
      BenchmarkProperties properties =
          BenchmarkProperties.parse(Benchmarks.KEYS, file, text, Map.of());
      String masked = properties.maskedText();
      Properties values = new Properties();
      values.load(new StringReader(masked));
      int commandLine = lineOf(BenchmarkProperties.FROM_COMMAND_LINE, text);
      return new RunPropertiesFile(
          masked,
          values,
          properties.settings().stream()
              .filter(setting -> setting.differs() && !setting.key().equals("password"))
              .map(setting -> given(setting, commandLine))
              .toList());
    } catch (ConfigException | IllegalArgumentException e) {
      missing.add("run.properties cannot be read: " + e.getMessage());
      return none();
    }
  }

  /** From 1; 0 if there is none. */
  private static int lineOf(String wanted, String text) {
    return 1 + text.lines().toList().lastIndexOf(wanted);
  }

  /** A run appends to the file's own text what its command line said. */
  private static Given given(Setting setting, int commandLine) {
    int line = setting.line().orElse(0);
    return new Given(
        setting.key(),
        setting.value(),
        setting.missing(),
        commandLine > 0 && line > commandLine ? "command line" : "line " + line);
  }

  String text(String key) {
    return text(key, "");
  }

  String text(String key, String missing) {
    return values.getProperty(key, missing).strip();
  }

  /**
   * A key of the properties file.
   *
   * @param missing what holds without it
   * @param from the value's place: {@code line 7}, {@code command line}
   */
  public record Given(String key, String value, String missing, String from) {}
}
