package io.shardmark.driver.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process as {@code /proc/PID/stat} shows it to every user, proc(5).
 *
 * @param program its name, cut by the kernel to 15 characters
 * @param parent the process that started it, or that it was left to
 * @param session the number of its session, which is that of the session's first process
 * @param startTick when it began, so that another one of the same number is not taken for it
 * @param own what its threads have used, those that have ended included, to 10 ms
 * @param ended what processes had used that it started and that have ended
 */
public record ProcessStat(
    String program,
    long parent,
    long session,
    long startTick,
    ProcessorTime own,
    ProcessorTime ended) {
  static final Path PROC = Path.of("/proc");
  private static final long NANOS_PER_TICK = 10_000_000; // Linux shows all times in 1/100 s

  // Positions after the name; proc(5) counts from 1, and the first after the name is 3.
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int ENDED_USER = 13;
  private static final int ENDED_SYSTEM = 14;
  private static final int START = 19;

  /** The processes of a session; none without Linux. */
  public static Stream<ProcessHandle> ofSession(long session) {
    return ProcessHandle.allProcesses()
        .filter(one -> of(one.pid()).filter(stat -> stat.session == session).isPresent());
  }

  /** Empty if there is no such process, or no Linux. */
  static Optional<ProcessStat> of(long pid) {
    try {
      Path file = PROC.resolve(pid + "/stat");
      return Optional.of(parse(Files.readString(file, StandardCharsets.ISO_8859_1)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The name is in parentheses and may itself hold blanks and parentheses. */
  static ProcessStat parse(String text) {
    int end = text.lastIndexOf(')');
    String[] fields = text.substring(end + 1).strip().split(" ", -1);
    return new ProcessStat(
        text.substring(text.indexOf('(') + 1, end),
        Long.parseLong(fields[PARENT]),
        Long.parseLong(fields[SESSION]),
        Long.parseLong(fields[START]),
        time(fields, USER, SYSTEM),
        time(fields, ENDED_USER, ENDED_SYSTEM));
  }

  private static ProcessorTime time(String[] fields, int user, int system) {
    return new ProcessorTime(
        Long.parseLong(fields[user]) * NANOS_PER_TICK,
        Long.parseLong(fields[system]) * NANOS_PER_TICK);
  }
}
