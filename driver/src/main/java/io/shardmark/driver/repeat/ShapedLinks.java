package io.shardmark.driver.repeat;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.run.StopSignal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Links of a given rate on this machine: addresses of the loopback interface, shaped in both
 * directions, in a network namespace of the command that needs them. All of it ends with that
 * command, and nothing else on the machine is shaped.
 */
public final class ShapedLinks {
  /** In the environment of the command that runs in the namespace. */
  private static final String INSIDE = "SHARDMARK_LINKS";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The kernel's queueing discipline needs room for what a timer's tick lets through. */
  private static final String BURST = "512kb";

  private ShapedLinks() {}

  /**
   * Runs this process's command again in a namespace with the links, unless it is that already.
   *
   * @param rates of the addresses, as {@code tc} writes them
   * @return its exit status; empty if the links are here, so that the command can go on
   * @throws ConfigException if this user or kernel cannot have them; one line
   */
  @SuppressWarnings("try") // the signal's hook is what it is for
  public static OptionalInt runWith(Map<String, String> rates)
      throws IOException, InterruptedException {
    if (System.getenv(INSIDE) != null) {
      shape(rates);
      return OptionalInt.empty();
    }
    List<String> command = namespace();
    require(Stream.concat(command.stream(), Stream.of("true")).toList());
    // ProcessHandle has no arguments of a long command line.
    command.addAll(List.of(Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1)));
    command.remove(command.size() - 1); // after the last terminator
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put(INSIDE, "yes");
    Process process = builder.start();
    try (StopSignal stop = new StopSignal("repetition", PATIENCE, process::destroy)) {
      return OptionalInt.of(process.waitFor());
    }
  }

  /** A user namespace gives a user who is not root the rights over a new network. */
  private static List<String> namespace() throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "--net"));
    if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
      command.addAll(List.of("--user", "--map-current-user", "--keep-caps"));
    }
    return command;
  }

  private static void shape(Map<String, String> rates) throws IOException, InterruptedException {
    require(words("ip link set lo up"));
    require(words("tc qdisc replace dev lo root handle 1: htb"));
    int number = 1;
    for (Map.Entry<String, String> link : rates.entrySet()) {
      for (String direction : List.of("dst", "src")) {
        number++;
        require(
            words(
                "tc class replace dev lo parent 1: classid 1:%d htb rate %s burst %s cburst %s quantum 65536"
                    .formatted(number, link.getValue(), BURST, BURST)));
        require(
            words(
                "tc filter add dev lo parent 1: protocol ip u32 match ip %s %s/32 flowid 1:%d"
                    .formatted(direction, link.getKey(), number)));
      }
    }
  }

  private static List<String> words(String command) {
    return List.of(command.split(" "));
  }

  private static void require(List<String> command) throws InterruptedException {
    Optional<String> cause;
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      cause =
          process.waitFor() == 0
              ? Optional.empty()
              : said.lines().findFirst().or(() -> Optional.of("failed"));
    } catch (IOException e) {
      cause = Optional.of("cannot be started");
    }
    if (cause.isPresent()) {
      throw new ConfigException(
          "links cannot be shaped: %s: %s; run as root on Linux with iproute2, or choose with --rows what needs no link"
              .formatted(String.join(" ", command.subList(0, 2)), cause.get()));
    }
  }
}
