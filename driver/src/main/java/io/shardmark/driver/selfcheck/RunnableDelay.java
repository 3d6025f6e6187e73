package io.shardmark.driver.selfcheck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How long threads of this process waited for a processor while they could have run, as Linux
 * counts it for each thread ({@code /proc/self/task/N/schedstat}). A thread takes its count along
 * when it ends, so this is read again and again while a run goes on; what a thread did after the
 * last reading is not in it. Used by one thread.
 */
public final class RunnableDelay {
  /** Beginnings of the names of those that collect garbage; one of them does other work too. */
  public static final List<String> GC_THREADS =
      List.of("GC Thread", "G1 Conc", "G1 Main", "VM Thread", "ZWorker", "XWorker", "Shenandoah");

  private static final Path TASKS = Path.of("/proc/self/task");

  /** Readings may cost a hundredth of the time between them. */
  private static final long PAUSE_FACTOR = 100;

  private final List<String> prefixes;
  private Map<Path, DelayCounts> last = Map.of();
  private long ranNanos;
  private long delayedNanos;
  private long nextNanos = System.nanoTime();

  /** What a thread has had so far. */
  private record DelayCounts(long ranNanos, long delayedNanos) {}

  /**
   * @param prefixes of the names of the threads that are looked at
   */
  public RunnableDelay(List<String> prefixes) {
    this.prefixes = List.copyOf(prefixes);
  }

  /** From now on: forgets what was read before. */
  public void begin() {
    last = read();
    ranNanos = 0;
    delayedNanos = 0;
  }

  /** Adds what was since the last reading, unless that was only just made. */
  public void read(long nowNanos) {
    if (nowNanos - nextNanos < 0) {
      return;
    }
    Map<Path, DelayCounts> now = read();
    now.forEach(this::add);
    last = now;
    long ended = System.nanoTime();
    nextNanos = ended + PAUSE_FACTOR * Math.max(0, ended - nowNanos);
  }

  private void add(Path thread, DelayCounts now) {
    DelayCounts before = last.getOrDefault(thread, new DelayCounts(0, 0));
    ranNanos += Math.max(0, now.ranNanos - before.ranNanos);
    delayedNanos += Math.max(0, now.delayedNanos - before.delayedNanos);
  }

  /**
   * 0 .. 1: of the time that the threads ran or could have run, what they waited. Empty where the
   * platform does not say.
   */
  public OptionalDouble share() {
    long wanted = ranNanos + delayedNanos;
    return wanted == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) delayedNanos / wanted);
  }

  /** How long the threads ran. Empty where the platform does not say, or without such a thread. */
  public OptionalLong ranNanos() {
    return last.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ranNanos);
  }

  private Map<Path, DelayCounts> read() {
    Map<Path, DelayCounts> counts = new HashMap<>();
    if (!Files.isDirectory(TASKS)) {
      return counts; // not Linux
    }
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
      for (Path thread : threads) {
        readOne(thread, counts);
      }
    } catch (IOException e) {
      return Map.of(); // hidden by the container: not known
    }
    return counts;
  }

  private void readOne(Path thread, Map<Path, DelayCounts> counts) {
    try {
      String name = text(thread.resolve("comm"));
      if (prefixes.stream().anyMatch(name::startsWith)) {
        counts.put(thread, counts(text(thread.resolve("schedstat"))));
      }
    } catch (IOException e) {
      // The thread ended between the listing and the reading, or the kernel does not count.
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
  }

  /** {@code schedstat}: time on a processor, time waiting for one, both in ns, and turns. */
  private static DelayCounts counts(String schedstat) {
    String[] fields = schedstat.split(" ", -1);
    return new DelayCounts(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
  }
}
