package io.shardmark.driver.report;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
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
 */
record RunPropertiesFile(String maskedText, Properties values) {
  private static final long MAX_BYTES = 1 << 20;

  static RunPropertiesFile none() {
    return new RunPropertiesFile("", new Properties());
  }

  static RunPropertiesFile read(Path file, List<String> missing) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      missing.add("run.properties is too long to be one; it was not read.");
      return none();
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try {
      String masked = BenchmarkProperties.parse(file, text, Map.of()).maskedText();
      Properties values = new Properties();
      values.load(new StringReader(masked));
      return new RunPropertiesFile(masked, values);
    } catch (ConfigException | IllegalArgumentException e) {
      missing.add("run.properties cannot be read: " + e.getMessage());
      return none();
    }
  }

  String text(String key) {
    return values.getProperty(key, "").strip();
  }
}
