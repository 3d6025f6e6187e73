package io.shardmark.driver.selfcheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What the processors of this machine have counted since its start, as {@code /proc/stat} has it:
 * all of them, also those that this process may not use.
 *
 * @param busy ticks of all in which somebody used them
 * @param all ticks
 * @param processors how many there are
 */
public record MachineTicks(long busy, long all, int processors) {
  // Positions after the name: user, nice, system, idle, iowait, irq, softirq, steal, and guests,
  // which are in user and nice.
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int KINDS = 8;

  /** Empty without Linux. */
  public static Optional<MachineTicks> read() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
      return Optional.of(parse(lines));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static MachineTicks parse(Stream<String> stat) {
    List<String> lines = stat.takeWhile(line -> line.startsWith("cpu")).toList();
    long[] ticks =
        Stream.of(lines.get(0).split(" +", -1))
            .skip(1)
            .limit(KINDS)
            .mapToLong(Long::parseLong)
            .toArray();
    long all = LongStream.of(ticks).sum();
    return new MachineTicks(all - ticks[IDLE] - ticks[IO_WAIT], all, lines.size() - 1);
  }

  /** Of the time of all processors since then, what somebody used: 0 to 1. */
  public double busySince(MachineTicks earlier) {
    return (busy - earlier.busy) / (double) Math.max(1, all - earlier.all);
  }
}
