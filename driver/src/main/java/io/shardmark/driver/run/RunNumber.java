package io.shardmark.driver.run;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FileFault;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The number that distinguishes the runs of one working directory: column {@code run} of every
 * result file.
 */
final class RunNumber {
  private static final String FILE = ".jTPCC_run_seq.dat";

  /** Locked by a process while it takes a number; not the file itself, which is replaced. */
  private static final String LOCK = ".jTPCC_run_seq.lock";

  /** Set by scripts that count runs themselves, as BenchmarkSQL's do. */
  private static final String PROPERTY = "runID";

  private RunNumber() {}

  /**
   * Takes the next number and stores it. Drivers that start together in one directory get different
   * numbers, and one that is killed leaves the old number or the new one.
   *
   * @throws ConfigException if the file holds no number or cannot be written
   */
  static synchronized int next(Path workingDirectory) {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return parse(given, "-D" + PROPERTY);
    }
    Path file = workingDirectory.resolve(FILE);
    try (FileChannel lock =
        FileChannel.open(
            workingDirectory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock(); // until the channel closes
      int next = read(file) + 1;
      Path written = Files.writeString(workingDirectory.resolve(FILE + ".new"), next + "\n");
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      return next;
    } catch (IOException e) {
      throw new ConfigException(
          "%s: cannot store the run number: %s".formatted(file, FileFault.cause(e)));
    }
  }

  private static int read(Path file) throws IOException {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? 0 : parse(text, file.toString());
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
