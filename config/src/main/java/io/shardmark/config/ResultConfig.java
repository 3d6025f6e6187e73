package io.shardmark.config;

import java.time.Duration;
import java.util.Optional;

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

  /**
   * Keys {@code osCollectorScript} (its presence switches the collector on; the Python script
   * itself is not needed), {@code osCollectorInterval}, {@code osCollectorSSHAddr}, {@code
   * osCollectorDevices}.
   *
   * @param interval time between two rows, from 1 s
   * @param sshAddress {@code user@host} of the observed machine; empty means this one
   * @param devices names with their {@code blk_} or {@code net_} prefix; {@code blk_auto}, {@code
   *     net_auto} and {@code auto} stand for all disks, all interfaces, and both
   */
  public record OsCollectorConfig(
      Duration interval, Optional<String> sshAddress, java.util.List<String> devices) {
    public OsCollectorConfig {
      devices = java.util.List.copyOf(devices);
    }
  }
}
