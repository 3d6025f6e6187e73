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

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the keys that say what a run writes. */
final class ResultConfigReader {
  /** Date and time conversions of java.util.Formatter. */
  private static final String CONVERSIONS = "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc";

  /** A device name becomes part of a file name and of a path under /sys: no slash, no dots only. */
  private static final Pattern DEVICE =
      Pattern.compile("auto|(blk|net)_[A-Za-z0-9][A-Za-z0-9_.:@-]*");

  /** Never read as an option by ssh, nor as two words. */
  private static final Pattern SSH_ADDRESS = Pattern.compile("[A-Za-z0-9_\\[][^\\s]*");

  private final PropertyReader reader;

  ResultConfigReader(PropertyReader reader) {
    this.reader = reader;
  }

  ResultConfig read() {
    Optional<String> pattern = reader.text(RESULT_DIRECTORY);
    pattern.ifPresent(this::checkConversions);
    // As in BenchmarkSQL, there is no collector without a directory to write to.
    boolean collects = pattern.isPresent() && isCollectorOn();
    return new ResultConfig(
        pattern,
        reader.name(RESULT_ROWS, ResultRows.ALL, ResultRows::of),
        reader.integer(RESULT_SAMPLE_EVERY),
        reader.isTrue(STATEMENT_TIMES),
        reader.text(FAIL_ON),
        collects ? Optional.of(collector()) : Optional.empty());
  }

  private void checkConversions(String pattern) {
    int index = pattern.indexOf("%t");
    while (index >= 0) {
      if (index + 2 >= pattern.length() || CONVERSIONS.indexOf(pattern.charAt(index + 2)) < 0) {
        throw reader.bad(RESULT_DIRECTORY, "a date or time conversion after each %t, such as %tY");
      }
      index = pattern.indexOf("%t", index + 3);
    }
  }

  private boolean isCollectorOn() {
    Optional<String> choice = reader.text(OS_COLLECTOR);
    return choice.isPresent()
        ? !collectorChoice().equals("false")
        : reader.has(OS_COLLECTOR_SCRIPT);
  }

  private String collectorChoice() {
    String choice = reader.text(OS_COLLECTOR).orElse("true").toLowerCase(Locale.ROOT);
    if (!List.of("true", "local", "false").contains(choice)) {
      throw reader.bad(OS_COLLECTOR, "one of true, local, false");
    }
    return choice;
  }

  private OsCollectorConfig collector() {
    Optional<String> address = reader.text(OS_COLLECTOR_SSH_ADDR);
    if (address.filter(text -> !SSH_ADDRESS.matcher(text).matches()).isPresent()) {
      throw reader.bad(OS_COLLECTOR_SSH_ADDR, "user@host");
    }
    return new OsCollectorConfig(
        Duration.ofSeconds(reader.integer(OS_COLLECTOR_INTERVAL)),
        collectorChoice().equals("local") ? Optional.empty() : address,
        devices());
  }

  private List<String> devices() {
    String text = reader.text(OS_COLLECTOR_DEVICES).orElse("").strip();
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> devices = List.of(text.split("\\s+"));
    if (!devices.stream().allMatch(device -> DEVICE.matcher(device).matches())) {
      throw reader.bad(
          OS_COLLECTOR_DEVICES, "auto, or blank-separated names such as blk_sda and net_eth0");
    }
    return devices;
  }
}
