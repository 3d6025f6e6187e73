package io.shardmark.config;

import static io.shardmark.config.PropertyKey.FAIL_ON;
import static io.shardmark.config.PropertyKey.OS_COLLECTOR;
import static io.shardmark.config.PropertyKey.OS_COLLECTOR_DEVICES;
import static io.shardmark.config.PropertyKey.OS_COLLECTOR_INTERVAL;
import static io.shardmark.config.PropertyKey.OS_COLLECTOR_SCRIPT;
import static io.shardmark.config.PropertyKey.OS_COLLECTOR_SSH_ADDR;
import static io.shardmark.config.PropertyKey.RESULT_DIRECTORY;
import static io.shardmark.config.PropertyKey.RESULT_ROWS;
import static io.shardmark.config.PropertyKey.RESULT_SAMPLE_EVERY;
import static io.shardmark.config.PropertyKey.STATEMENT_TIMES;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where and what a run writes.
 *
 * @param directoryPattern key {@code resultDirectory}: text with {@code %tX} date conversions of
 *     the start time; empty means no files
 * @param rows key {@code resultRows}
 * @param sampleEvery key {@code resultSampleEvery}: with sampled rows, every n-th transaction has a
 *     row, from 1
 * @param statementTimes key {@code statementTimes}: each statement is timed
 * @param failOn key {@code failOn}: conditions that make a run a failed one, as they were written;
 *     the driver reads them, which knows the types of transactions
 * @param osCollector what is collected from the operating system; empty if neither the BenchmarkSQL
 *     keys nor {@code osCollector} ask for it
 */
public record ResultConfig(
    Optional<String> directoryPattern,
    ResultRows rows,
    int sampleEvery,
    boolean statementTimes,
    Optional<String> failOn,
    Optional<OsCollectorConfig> osCollector) {
  /** Date and time conversions of java.util.Formatter. */
  private static final String CONVERSIONS = "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc";

  /** Never read as an option by ssh, nor as two words. */
  private static final Pattern SSH_ADDRESS = Pattern.compile("[A-Za-z0-9_\\[][^\\s]*");

  /**
   * Keys {@code osCollectorScript} (its presence switches the collector on; the Python script
   * itself is not needed), {@code osCollectorInterval}, {@code osCollectorSSHAddr}, {@code
   * osCollectorDevices}.
   *
   * @param interval time between two rows, from 1 s
   * @param sshAddress {@code user@host} of the observed machine; empty means this one
   * @param devices names with their {@code blk_} or {@code net_} prefix; {@code blk_auto}, {@code
   *     net_auto} and {@code auto} mean all disks, all interfaces, and both
   * @param others {@code user@host} of further machines, which are shown and not judged by
   */
  public record OsCollectorConfig(
      Duration interval, Optional<String> sshAddress, List<String> devices, List<String> others) {
    public OsCollectorConfig {
      devices = List.copyOf(devices);
      others = List.copyOf(others);
    }
  }

  /** Reads the keys that say what a run writes. */
  static ResultConfig read(PropertyReader reader) {
    Price.check(reader);
    Optional<String> pattern = reader.text(RESULT_DIRECTORY);
    pattern.ifPresent(text -> checkConversions(reader, text));
    // As in BenchmarkSQL, there is no collector without a directory to write to.
    boolean collects = pattern.isPresent() && isCollectorOn(reader);
    return new ResultConfig(
        pattern,
        reader.constant(RESULT_ROWS, ResultRows.class),
        reader.integer(RESULT_SAMPLE_EVERY),
        reader.isTrue(STATEMENT_TIMES),
        reader.text(FAIL_ON),
        collects ? Optional.of(collector(reader)) : Optional.empty());
  }

  private static void checkConversions(PropertyReader reader, String pattern) {
    int index = pattern.indexOf("%t");
    while (index >= 0) {
      if (index + 2 >= pattern.length() || CONVERSIONS.indexOf(pattern.charAt(index + 2)) < 0) {
        throw reader.bad(RESULT_DIRECTORY, "a date or time conversion after each %t, such as %tY");
      }
      index = pattern.indexOf("%t", index + 3);
    }
  }

  private static boolean isCollectorOn(PropertyReader reader) {
    Optional<String> choice = reader.text(OS_COLLECTOR);
    return choice.isPresent()
        ? !collectorChoice(reader).equals("false")
        : reader.has(OS_COLLECTOR_SCRIPT);
  }

  private static String collectorChoice(PropertyReader reader) {
    String choice = reader.text(OS_COLLECTOR).orElse("true").toLowerCase(Locale.ROOT);
    if (!List.of("true", "local", "false").contains(choice)) {
      throw reader.bad(OS_COLLECTOR, "one of true, local, false");
    }
    return choice;
  }

  private static OsCollectorConfig collector(PropertyReader reader) {
    List<String> addresses = words(reader, OS_COLLECTOR_SSH_ADDR);
    if (!addresses.stream().allMatch(one -> SSH_ADDRESS.matcher(one).matches())) {
      throw reader.bad(OS_COLLECTOR_SSH_ADDR, "user@host, or several with blanks between them");
    }
    boolean here = collectorChoice(reader).equals("local");
    return new OsCollectorConfig(
        Duration.ofSeconds(reader.integer(OS_COLLECTOR_INTERVAL)),
        here ? Optional.empty() : addresses.stream().findFirst(),
        // Names that no device has are warnings of the collector, which knows the machine's.
        words(reader, OS_COLLECTOR_DEVICES),
        here ? List.of() : addresses.stream().skip(1).toList());
  }

  /** Blank-separated ones; what follows a number sign is a remark, as published files have them. */
  private static List<String> words(PropertyReader reader, PropertyKey key) {
    String text = reader.text(key).orElse("").replaceFirst("(^|\\s)#.*", "").strip();
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
  }
}
