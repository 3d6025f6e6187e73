package io.shardmark.driver.run;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The number that tells the runs of one working directory apart: column {@code run} of every result
 * file.
 */
final class RunNumber {
  private static final String FILE = ".jTPCC_run_seq.dat";

  /** Set by scripts that count runs themselves, as BenchmarkSQL's do. */
  private static final String PROPERTY = "runID";

  private RunNumber() {}

  /**
   * Takes the next number and stores it.
   *
   * @throws ConfigException if the file holds no number or cannot be written
   */
  static int next(Path workingDirectory) {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return parse(given, "-D" + PROPERTY);
    }
    Path file = workingDirectory.resolve(FILE);
    try {
      int next = read(file) + 1;
      Files.writeString(file, next + "\n");
      return next;
    } catch (IOException e) {
      throw new ConfigException("%s: cannot store the run number: %s".formatted(file, e));
    }
  }

  private static int read(Path file) throws IOException {
    try {
      return parse(Files.readString(file).strip(), file.toString());
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static int parse(String text, String where) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ConfigException("%s: '%s': expected a whole number".formatted(where, text));
    }
  }
}
