package io.shardmark.driver.processes;

import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of this machine that listens at an address, as Linux' {@code /proc} shows it to a
 * user who may see it: to its own user and to root.
 *
 * @param startTick when it began, by the kernel's count
 */
public record ListeningProcess(long pid, String program, long startTick) {
  private static final Path PROC = ProcessStat.PROC;
  private static final String LISTENS = "0A";
  private static final String UNIX_LISTENS = "00010000";
  private static final int MOST_READINGS = 5;

  /** Empty if it is on another machine, or not to be seen. Asks the name service. */
  public static Optional<ListeningProcess> at(PostgresEndpoint endpoint) {
    try {
      Set<String> inodes = new HashSet<>();
      for (InetAddress address : InetAddress.getAllByName(endpoint.host())) {
        // Else a server here that listens at all addresses would be taken for one elsewhere.
        if (isHere(address)) {
          Set<String> places = places(address, endpoint.port());
          addInodes(PROC.resolve("net/tcp"), places, inodes);
          addInodes(PROC.resolve("net/tcp6"), places, inodes);
        }
      }
      return owner(inodes);
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** The same of a Unix-domain socket. */
  public static Optional<ListeningProcess> at(Path socket) {
    try (Stream<String> lines =
        Files.lines(PROC.resolve("net/unix"), StandardCharsets.ISO_8859_1)) {
      return owner(
              lines
                  .map(line -> line.strip().split("\\s+", 8))
                  .filter(columns -> columns.length == 8 && columns[3].equals(UNIX_LISTENS))
                  .filter(columns -> isSame(socket, columns[7]))
                  .map(columns -> handle(columns[6]))
                  .collect(Collectors.toSet()))
          .or(() -> holderOfLock(Path.of(socket + ".lock")));
    } catch (IOException e) {
      return Optional.empty(); // no Linux
    }
  }

  /** PostgreSQL's lock file of a socket begins with its number; the bound name may be relative. */
  private static Optional<ListeningProcess> holderOfLock(Path lock) {
    OptionalLong pid = number(lock, "(\\d+)$");
    return pid.isEmpty()
        ? Optional.empty()
        : ProcessStat.of(pid.getAsLong())
            .map(stat -> new ListeningProcess(pid.getAsLong(), stat.program(), stat.startTick()));
  }

  /** The server may have bound it by another name of its directory. */
  private static boolean isSame(Path socket, String bound) {
    try {
      return Files.isSameFile(socket, Path.of(bound));
    } catch (IOException | InvalidPathException e) {
      return false; // of another namespace, or without a file
    }
  }

  /** True if the address is one of this machine's. */
  public static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** As the tables write an address that a socket at it may be bound to. */
  private static Set<String> places(InetAddress address, int port) {
    String suffix = ":%04X".formatted(port);
    Set<String> places = new HashSet<>();
    places.add("0".repeat(32) + suffix);
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      places.add("0".repeat(8) + suffix);
      places.add(words(bytes) + suffix);
      places.add("0".repeat(16) + "FFFF0000" + words(bytes) + suffix);
    } else {
      places.add(words(bytes) + suffix);
    }
    return places;
  }

  /** Words of four bytes, each from its last byte to its first. */
  private static String words(byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    StringBuilder text = new StringBuilder();
    while (words.hasRemaining()) {
      text.append("%08X".formatted(words.getInt()));
    }
    return text.toString();
  }

  private static void addInodes(Path table, Set<String> places, Set<String> inodes) {
    try (Stream<String> lines = Files.lines(table)) {
      lines
          .map(line -> line.strip().split("\\s+", -1))
          .filter(columns -> columns.length > 9 && columns[3].equals(LISTENS))
          .filter(columns -> places.contains(columns[1].toUpperCase(Locale.ROOT)))
          .forEach(columns -> inodes.add(handle(columns[9])));
    } catch (IOException e) {
      // no Linux, or no such protocol
    }
  }

  private static String handle(String inode) {
    return "socket:[" + inode + "]";
  }

  private static Optional<ListeningProcess> owner(Set<String> inodes) {
    if (inodes.isEmpty()) {
      return Optional.empty();
    }
    Map<Long, ProcessStat> owners = new TreeMap<>();
    ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> holds(PROC.resolve(pid.toString()), inodes))
        .forEach(pid -> ProcessStat.of(pid).ifPresent(stat -> owners.put(pid, stat)));
    // A process that has just been started has the handles of the one that started it.
    return owners.entrySet().stream()
        .filter(owner -> !owners.containsKey(owner.getValue().parent()))
        .map(
            owner ->
                new ListeningProcess(
                    owner.getKey(), owner.getValue().program(), owner.getValue().startTick()))
        .findFirst();
  }

  private static boolean holds(Path process, Set<String> inodes) {
    try (DirectoryStream<Path> handles = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path handle : handles) {
        if (inodes.contains(link(handle))) {
          return true;
        }
      }
    } catch (IOException e) {
      // another user's, or it has just ended
    }
    return false;
  }

  private static String link(Path handle) {
    try {
      return Files.readSymbolicLink(handle).toString();
    } catch (IOException e) {
      return ""; // just closed
    }
  }

  /**
   * What it has used so far, with all processes that it started and those that these started, ended
   * ones included; empty if it has ended itself.
   */
  public Optional<ProcessorTime> processorTime() {
    for (int reading = 1; ; reading++) {
      Optional<ProcessStat> before = stat();
      if (before.isEmpty()) {
        return Optional.empty();
      }
      ProcessorTime sum = before.get().own().plus(before.get().ended()).plus(ofDescendants());
      boolean settled = stat().map(ProcessStat::ended).equals(before.map(ProcessStat::ended));
      // A child that ended meanwhile may be in neither of the two parts.
      if (settled || reading == MOST_READINGS) {
        return Optional.of(sum);
      }
    }
  }

  private Optional<ProcessStat> stat() {
    return ProcessStat.of(pid).filter(stat -> stat.startTick() == startTick);
  }

  private ProcessorTime ofDescendants() {
    return descendants()
        .flatMap(child -> ProcessStat.of(child).stream())
        .map(stat -> stat.own().plus(stat.ended()))
        .reduce(ProcessorTime.NONE, ProcessorTime::plus);
  }

  private Stream<Long> descendants() {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .map(ProcessHandle::pid);
  }

  /**
   * Context switches of its threads and of those of all processes that it started and that go on;
   * empty if it has ended, or is another user's.
   */
  public OptionalLong contextSwitches() {
    OptionalLong own = switches(pid);
    return own.isEmpty()
        ? own
        : OptionalLong.of(
            own.getAsLong() + descendants().mapToLong(child -> switches(child).orElse(0)).sum());
  }

  private static OptionalLong switches(long process) {
    try (Stream<Path> threads = Files.list(PROC.resolve(process + "/task"))) {
      return OptionalLong.of(
          threads
              .map(thread -> "%d/task/%s/status".formatted(process, thread.getFileName()))
              .mapToLong(
                  status ->
                      number(status, "voluntary_ctxt_switches:\\s*(\\d+)").orElse(0)
                          + number(status, "nonvoluntary_ctxt_switches:\\s*(\\d+)").orElse(0))
              .sum());
    } catch (IOException | UncheckedIOException e) {
      return OptionalLong.empty();
    }
  }

  /** What it has resident, with what its child processes have for themselves; empty if it ended. */
  public OptionalLong residentBytes() {
    OptionalLong own = memory(Long.toString(pid), "VmRSS:");
    if (own.isEmpty()) {
      return own;
    }
    // What the children share with it is counted once.
    long ofChildren =
        descendants().mapToLong(child -> memory(child.toString(), "RssAnon:").orElse(0)).sum();
    return OptionalLong.of(own.getAsLong() + ofChildren);
  }

  /**
   * Memory of a process in bytes; empty if it cannot be seen.
   *
   * @param process its number, or {@code self}
   * @param name of a line of its {@code status}
   */
  public static OptionalLong memory(String process, String name) {
    OptionalLong kilobytes = number(process + "/status", name + "\\s*(\\d+) kB");
    return kilobytes.isPresent() ? OptionalLong.of(kilobytes.getAsLong() << 10) : kilobytes;
  }

  /** How many files it may open; empty if that has no limit or cannot be seen. */
  public OptionalLong mostFiles() {
    return number(pid + "/limits", "Max open files +(\\d+) ");
  }

  /** The group of the line that begins so; empty if there is none, or no such file. */
  private static OptionalLong number(String file, String line) {
    return number(PROC.resolve(file), line);
  }

  private static OptionalLong number(Path file, String line) {
    try {
      Matcher matcher =
          Pattern.compile("^" + line, Pattern.MULTILINE).matcher(Files.readString(file));
      return matcher.find()
          ? OptionalLong.of(Long.parseLong(matcher.group(1)))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
