package io.shardmark.driver.idle;

import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The process of this machine that listens at an endpoint, as Linux' {@code /proc} shows it to a
 * user who may see it.
 */
record Listener(long pid) {
  private static final Path PROC = Path.of("/proc");
  private static final String LISTENS = "0A";
  private static final Pattern KILOBYTES = Pattern.compile("\\s*(\\d+) kB");
  private static final Pattern FILES = Pattern.compile("(?m)^Max open files +(\\d+) ");

  /** Empty if it is on another machine, or not to be seen. */
  static Optional<Listener> at(PostgresEndpoint endpoint) {
    try {
      Set<String> inodes = new HashSet<>();
      for (InetAddress address : InetAddress.getAllByName(endpoint.host())) {
        Set<String> places = places(address, endpoint.port());
        addInodes(PROC.resolve("net/tcp"), places, inodes);
        addInodes(PROC.resolve("net/tcp6"), places, inodes);
      }
      return inodes.isEmpty() ? Optional.empty() : owner(inodes);
    } catch (UnknownHostException e) {
      return Optional.empty();
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
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < bytes.length; word += 4) {
      for (int at = 3; at >= 0; at--) {
        text.append("%02X".formatted(bytes[word + at]));
      }
    }
    return text.toString();
  }

  private static void addInodes(Path table, Set<String> places, Set<String> inodes) {
    try (Stream<String> lines = Files.lines(table)) {
      lines
          .map(line -> line.strip().split("\\s+", -1))
          .filter(columns -> columns.length > 9 && columns[3].equals(LISTENS))
          .filter(columns -> places.contains(columns[1].toUpperCase(Locale.ROOT)))
          .forEach(columns -> inodes.add("socket:[" + columns[9] + "]"));
    } catch (IOException e) {
      // no Linux, or no such protocol
    }
  }

  private static Optional<Listener> owner(Set<String> inodes) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        if (holds(process, inodes)) {
          return Optional.of(new Listener(Long.parseLong(process.getFileName().toString())));
        }
      }
    } catch (IOException e) {
      // no Linux
    }
    return Optional.empty();
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

  /** What it has resident, with what its child processes have for themselves; empty if it ended. */
  OptionalLong residentBytes() {
    OptionalLong own = status(pid, "VmRSS:");
    if (own.isEmpty()) {
      return own;
    }
    // What the children share with it is counted once.
    List<Long> children =
        ProcessHandle.of(pid).stream()
            .flatMap(ProcessHandle::descendants)
            .map(ProcessHandle::pid)
            .toList();
    long ofChildren =
        children.stream().mapToLong(child -> status(child, "RssAnon:").orElse(0)).sum();
    return OptionalLong.of(own.getAsLong() + ofChildren);
  }

  private static OptionalLong status(long process, String name) {
    try (Stream<String> lines = Files.lines(PROC.resolve(process + "/status"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> KILOBYTES.matcher(line.substring(name.length())))
          .filter(Matcher::matches)
          .mapToLong(matcher -> Long.parseLong(matcher.group(1)) << 10)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** How many files it may open; empty if that has no limit or cannot be seen. */
  OptionalLong mostFiles() {
    try {
      Matcher matcher = FILES.matcher(Files.readString(PROC.resolve(pid + "/limits")));
      return matcher.find()
          ? OptionalLong.of(Long.parseLong(matcher.group(1)))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
