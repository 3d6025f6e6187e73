package io.shardmark.driver.recorder;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FileFault;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SummaryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The directory of one run, made at its start. docs/results.md describes every file in it. */
public final class ResultDirectory {
  private static final Pattern DATE = Pattern.compile("%t.?", Pattern.DOTALL);

  /** In the result of several drivers, where those of each of them are. */
  private static final String PARTS = "drivers";

  private final Path root;

  private ResultDirectory(Path root) {
    this.root = root;
  }

  /**
   * Makes the directory and its {@code data} directory.
   *
   * @param pattern value of the key {@code resultDirectory}: each {@code %tX} represents the start
   *     time in {@link java.util.Formatter}'s conversion {@code X}; everything else is literal
   * @throws ConfigException if the pattern cannot be read, or the directory exists or cannot be
   *     made
   */
  public static ResultDirectory create(String pattern, ZonedDateTime start) {
    return create(resolve(pattern, start));
  }

  /**
   * Makes the directory of one of several drivers: in {@code drivers} of the one that the result of
   * all will have, so that drivers on one file system leave theirs together.
   *
   * @param index of the driver
   * @throws ConfigException as {@link #create}, or if the result of a run is there
   */
  public static ResultDirectory createPart(String pattern, ZonedDateTime start, int index)
      throws IOException {
    Path whole = Path.of(resolve(pattern, start));
    if (Files.exists(whole.resolve("data"))) {
      throw failure(whole.toString(), "it exists already");
    }
    Path above = whole.toAbsolutePath().getParent();
    if (above == null || !Files.isDirectory(above)) {
      throw failure(whole.toString(), "the directory it should be made in does not exist");
    }
    Files.createDirectories(whole.resolve(PARTS));
    return create(partOf(whole, index).toString());
  }

  /** Where the result of one of several drivers is. */
  public static Path partOf(Path whole, int index) {
    return whole.resolve(PARTS).resolve(Integer.toString(index));
  }

  /** Where the result of all drivers is, with that of one of them in it. */
  public static Path wholeOf(Path part) {
    return part.resolve("../..").normalize();
  }

  /**
   * The results of single drivers that are in one directory.
   *
   * @throws ConfigException if there are none
   */
  public static List<Path> partsOf(Path whole) throws IOException {
    Path parts = whole.resolve(PARTS);
    if (!Files.isDirectory(parts)) {
      throw new ConfigException(
          parts + ": no such directory, expected the result directories of the drivers in it");
    }
    try (Stream<Path> found = Files.list(parts)) {
      return found.filter(Files::isDirectory).sorted().toList();
    }
  }

  /**
   * Makes the directory of the result of all drivers, in which theirs are.
   *
   * @throws ConfigException if there is a result already
   */
  public static ResultDirectory openWhole(Path whole) throws IOException {
    if (Files.exists(whole.resolve("data"))) {
      throw failure(whole.toString(), "it has a result already");
    }
    Files.createDirectory(whole.resolve("data"));
    return new ResultDirectory(whole);
  }

  /**
   * Makes a directory of this name.
   *
   * @throws ConfigException if it exists or cannot be made
   */
  public static ResultDirectory create(String name) {
    try {
      // No parents are made: BenchmarkSQL makes none, and a wrong path should show.
      Path root = Files.createDirectory(Path.of(name));
      Files.createDirectory(root.resolve("data"));
      return new ResultDirectory(root);
    } catch (FileAlreadyExistsException e) {
      throw failure(name, "it exists already");
    } catch (NoSuchFileException e) {
      throw failure(name, "the directory it should be made in does not exist");
    } catch (IOException e) {
      throw failure(name, FileFault.cause(e));
    } catch (InvalidPathException e) {
      throw failure(name, String.valueOf(e.getReason()));
    }
  }

  private static ConfigException failure(String name, String why) {
    return new ConfigException(
        "resultDirectory: Failed to create directory '%s': %s".formatted(name, why));
  }

  /** The directory's name for a start time. */
  static String resolve(String pattern, ZonedDateTime start) {
    return DATE.matcher(pattern)
        .replaceAll(date -> Matcher.quoteReplacement(format(pattern, date.group(), start)));
  }

  private static String format(String pattern, String conversion, ZonedDateTime start) {
    try {
      return String.format(Locale.ROOT, conversion, start);
    } catch (IllegalFormatException e) {
      throw new ConfigException(
          "resultDirectory=%s: '%s' %s"
              .formatted(
                  pattern,
                  conversion,
                  conversion.equals("%t")
                      ? "at the end, expected a date conversion letter such as %tY"
                      : "is not a date conversion, expected one such as %tY %tm %td"));
    }
  }

  /**
   * Takes back a directory of a run that did not begin, with all that is in it.
   *
   * @throws IOException if it cannot be deleted
   */
  public void discard() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
      files = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Path parts = root.getParent();
    if (parts != null && parts.endsWith(PARTS)) {
      deleteIfEmpty(parts);
      deleteIfEmpty(wholeOf(root));
    }
  }

  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // Another driver's is in it.
    }
  }

  public Path root() {
    return root;
  }

  /** Where the tables are. */
  public Path data() {
    return root.resolve("data");
  }

  /**
   * Writes {@code run.properties}.
   *
   * @param maskedText the properties file with every password masked, as {@link
   *     io.shardmark.config.BenchmarkProperties#maskedText()} gives it
   */
  public void writeRunProperties(String maskedText) throws IOException {
    // Properties files are read in ISO-8859-1.
    replace(root.resolve("run.properties"), maskedText.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Writes {@code data/tx_summary.csv} and {@code summary.json}, each whole or not at all. */
  public void writeSummary(RunResult result, RunStatistics statistics) throws IOException {
    replace(data().resolve("tx_summary.csv"), utf8(TransactionSummary.toCsv(result, statistics)));
    replace(root.resolve(SummaryFile.NAME), utf8(SummaryFile.text(result)));
  }

  /** Writes a further file of the directory, whole or not at all. */
  public void write(String name, String text) throws IOException {
    replace(root.resolve(name), utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes a file under another name, forces it to disk and renames it. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
