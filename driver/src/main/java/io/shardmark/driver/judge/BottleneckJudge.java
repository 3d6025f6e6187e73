package io.shardmark.driver.judge;

import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.MachineUse;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.ServerWaits.Activity;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.VerdictKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what limited a run, by the limits that docs/measurement.md lists. */
public final class BottleneckJudge {
  /** Findings on what else held the run back, for a while or all the time. */
  private static final Set<VerdictKind> HELD_BACK =
      Set.of(
          VerdictKind.ABORTED,
          VerdictKind.SERVER_LOST,
          VerdictKind.ERRORS,
          VerdictKind.STALLED,
          VerdictKind.DRIVER_LATE,
          VerdictKind.MACHINE_SATURATED);

  private static final double KILOBYTES_OF_MEGABYTE = 1024;
  private static final int MOST_EVENTS = 3;
  private static final int MOST_TABLES = 5;

  private final RunResult run;
  private final RunVerdict verdict;
  private final Map<WaitClass, Double> classes;
  private final double inTransaction;

  /** The drivers on the server's own machine. */
  private final List<Client> besideServer;

  private final List<Bottleneck.ResourceUse> uses = new ArrayList<>();

  private BottleneckJudge(RunResult run, RunVerdict verdict) {
    this.run = run;
    this.verdict = verdict;
    classes = WaitClass.sessions(run.serverWaits());
    inTransaction = classes.values().stream().mapToDouble(Double::doubleValue).sum();
    besideServer = run.clients().values().stream().filter(Client::serverOnSameMachine).toList();
  }

  /**
   * @param run with all figures but its verdict
   * @param verdict its verdict
   */
  public static Bottleneck of(RunResult run, RunVerdict verdict) {
    BottleneckJudge judge = new BottleneckJudge(run, verdict);
    judge.addUses();
    return new Bottleneck(judge.sentence(), judge.uses);
  }

  private String sentence() {
    List<String> sentences = new ArrayList<>();
    sentences.add(main());
    double covered = run.serverWaits().coveredSeconds();
    if (run.serverWaits().samples() > 0
        && covered < Limits.COVERED_SHARE * run.interval().seconds()) {
      sentences.add(
          "Its sessions were seen for %s of %s only."
              .formatted(Texts.seconds(covered), Texts.seconds(run.interval().seconds())));
    }
    return String.join(" ", sentences);
  }

  private String main() {
    Optional<Finding> bound =
        verdict.findings().stream()
            .filter(finding -> finding.kind() == VerdictKind.DRIVER_BOUND)
            .findFirst();
    if (bound.isPresent()) {
      return "The driver limited the run: %s.".formatted(bound.get().cause());
    }
    if (AskedRate.wereHeld(run) && !verdict.has(VerdictKind.RATE_NOT_HELD)) {
      return (HELD_BACK.stream().anyMatch(verdict::has)
              ? "Apart from what the verdict says, the asked rate limited the run. "
              : "The asked rate limited the run, nothing else. ")
          + waiting();
    }
    OptionalDouble busy = serverBusy();
    if (busy.orElse(0) >= Limits.MOST_MACHINE_SHARE || hasNoProcessorLeft(busy)) {
      return "Processors limited the run: the server's machine was %s busy%s. %s"
          .formatted(Texts.percent(busy.getAsDouble()), sharedWith(), waiting());
    }
    if (inTransaction <= 0) {
      return "What limited the run is not known: " + missing() + ".";
    }
    return byWaits(busy);
  }

  /**
   * Whether the driver, on the server's own machine, had to wait for a processor: then the server
   * had to as well, whatever the machine's average says.
   */
  private boolean hasNoProcessorLeft(OptionalDouble busy) {
    return busy.isPresent()
        && verdict.has(VerdictKind.MACHINE_SATURATED)
        && !besideServer.isEmpty();
  }

  private String missing() {
    return run.serverWaits().missing().isEmpty()
        ? "no session was seen in a transaction"
        : run.serverWaits().missing();
  }

  private String byWaits(OptionalDouble busy) {
    WaitClass most = order().get(0);
    if (share(most) < Limits.OUTSTANDING_SHARE) {
      return "No single thing limited the run. " + waiting();
    }
    return switch (most) {
      case RUNNING -> running(busy);
      case LOCKS -> limited("Locks", mostLocked());
      case WAL -> limited("Writing the WAL", busiestDisk());
      case DATA_FILES -> limited("Data files", busiestDisk());
      case LATCHES -> limited("The server's latches", ": its sessions were in each other's way");
      case CLIENT ->
          limited(
              "The way between driver and server",
              ": open transactions waited for their next statement, and statementProfile=batched or procedures sends fewer");
      case OTHER -> limited("Waits of other kinds", "");
    };
  }

  private String limited(String what, String detail) {
    return "%s limited the run%s. %s".formatted(what, detail, waiting());
  }

  private String running(OptionalDouble busy) {
    String sessions = sessions(classes.getOrDefault(WaitClass.RUNNING, 0.0));
    return busy.isPresent()
        ? "More terminals may do more: %s ran, and the server's machine was only %s busy. %s"
            .formatted(sessions, Texts.percent(busy.getAsDouble()), waiting())
        : "Sessions mostly ran, %s; whether the server had a processor left is not known (osCollectorSSHAddr). %s"
            .formatted(sessions, waiting());
  }

  /** Shares of the classes that matter, the largest first. */
  private String waiting() {
    if (inTransaction <= 0) {
      return "What sessions of the server waited for is not known: " + missing() + ".";
    }
    String parts =
        order().stream()
            .filter(one -> share(one) >= Limits.LEAST_NAMED_SHARE)
            .map(one -> "%s %s".formatted(Texts.percent(share(one)), one.sentence()))
            .collect(Collectors.joining(", "))
            .replaceFirst(" %", " % of the time");
    return "In transactions, sessions spent " + parts + ".";
  }

  private List<WaitClass> order() {
    return classes.keySet().stream()
        .sorted(Comparator.comparingDouble((WaitClass one) -> -share(one)))
        .toList();
  }

  private double share(WaitClass one) {
    return inTransaction <= 0 ? 0 : classes.getOrDefault(one, 0.0) / inTransaction;
  }

  private OptionalDouble serverBusy() {
    MachineUse server = serverMachine();
    return server != null
        ? OptionalDouble.of(server.busyShare())
        : besideServer.stream()
            .map(Client::machineBusyShare)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .max();
  }

  /** Null if no OS collector was on it. */
  private @Nullable MachineUse serverMachine() {
    MachineUse machine = run.observedMachine();
    return machine != null && machine.ofServer() ? machine : null;
  }

  private String sharedWith() {
    double used = besideServer.stream().mapToDouble(Client::coresUsed).sum();
    return used > 0 ? " (the driver used %s)".formatted(number(used, "processor")) : "";
  }

  private String mostLocked() {
    return run.serverWaits().lockedTables().stream()
        .findFirst()
        .map(table -> ", most of them on " + name(table.table()))
        .orElse("");
  }

  private static String name(String table) {
    return table.isEmpty() ? "a table that is not known" : table;
  }

  private String busiestDisk() {
    return Stream.ofNullable(serverMachine())
        .flatMap(machine -> machine.disks().entrySet().stream())
        .max(Comparator.comparingDouble(disk -> disk.getValue().busyShare()))
        .map(
            disk ->
                ": disk %s was busy for %s of the time"
                    .formatted(disk.getKey(), Texts.percent(disk.getValue().busyShare())))
        .orElse("");
  }

  private void use(String what, @Nullable Double share, String text) {
    uses.add(new Bottleneck.ResourceUse(what, share, text));
  }

  private void addUses() {
    run.clients().entrySet().stream()
        .max(Comparator.comparingDouble(one -> usedShare(one.getValue())))
        .ifPresent(one -> addDriver(one.getKey(), one.getValue()));
    addServer();
    for (WaitClass one : order()) {
      if (share(one) >= Limits.LEAST_SHOWN_SHARE) {
        use("Sessions: " + one.text(), share(one), events(one));
      }
    }
    run.serverWaits().lockedTables().stream()
        .filter(table -> table.sessions() >= Limits.LEAST_SHOWN_SHARE * inTransaction)
        .limit(MOST_TABLES)
        .forEach(
            table ->
                use(
                    "Waits for locks on " + name(table.table()),
                    table.sessions() / Math.max(inTransaction, 1e-9),
                    sessions(table.sessions())));
    if (inTransaction <= 0) {
      use("Sessions", null, "not known: " + missing());
    }
    addWal();
  }

  private static double usedShare(Client load) {
    return load.coresUsed() / Math.max(1, load.coresAvailable());
  }

  private void addDriver(String name, Client load) {
    use(
        Texts.upperFirst(name) + ": processors",
        usedShare(load),
        "%s of %d".formatted(Texts.number(load.coresUsed()), load.coresAvailable()));
    Double busy = load.machineBusyShare();
    if (busy != null) {
      String machine = load.serverOnSameMachine() ? "driver and server" : name;
      use("Machine of " + machine + ": processors", busy, "all that ran on it");
    }
  }

  private void addServer() {
    MachineUse machine = serverMachine();
    if (machine == null && besideServer.isEmpty()) {
      use(
          "Server's machine: processors",
          null,
          "not known: no OS collector on it (osCollectorSSHAddr)");
    }
    if (machine != null && besideServer.isEmpty()) {
      use(
          "Server's machine: processors",
          machine.busyShare(),
          "idle for a disk for " + Texts.percent(machine.ioWaitShare()));
    }
    if (machine == null || machine.disks().isEmpty()) {
      use("Server's disks", null, "not known: no OS collector on them (osCollectorDevices)");
      return;
    }
    machine
        .disks()
        .forEach(
            (name, disk) ->
                use(
                    "Server's disk " + name,
                    disk.busyShare(),
                    "%s MB/s read, %s MB/s and %s operations/s written"
                        .formatted(
                            Texts.number(disk.readKbPerSecond() / KILOBYTES_OF_MEGABYTE),
                            Texts.number(disk.writtenKbPerSecond() / KILOBYTES_OF_MEGABYTE),
                            Texts.number(disk.writesPerSecond()))));
  }

  private String events(WaitClass wanted) {
    List<Activity> all =
        run.serverWaits().activities().stream()
            .filter(one -> !one.type().equals(ServerWaits.IDLE) && WaitClass.of(one) == wanted)
            .toList();
    String events =
        all.stream()
            .filter(one -> !one.event().isEmpty())
            .filter(one -> one.sessions() >= Limits.LEAST_SHOWN_SHARE * inTransaction)
            .limit(MOST_EVENTS)
            .map(one -> "%s %s %s".formatted(one.type(), one.event(), Texts.number(one.sessions())))
            .collect(Collectors.joining(", "));
    return sessions(classes.getOrDefault(wanted, 0.0)) + (events.isEmpty() ? "" : ": " + events);
  }

  private static String sessions(double sessions) {
    return number(sessions, "session") + " at a time";
  }

  private static String number(double value, String what) {
    String number = Texts.number(value);
    return number + " " + what + (number.equals("1") ? "" : "s");
  }

  private void addWal() {
    Double bytes = run.databaseFigures().get("wal_bytes");
    double seconds = run.interval().seconds();
    if (bytes == null || seconds <= 0) {
      return;
    }
    double kilobytes = bytes / 1024;
    Double images = run.databaseFigures().get("wal_fpi");
    use(
        "WAL written",
        null,
        "%s MB/s, %s KB per transaction%s"
            .formatted(
                Texts.number(kilobytes / KILOBYTES_OF_MEGABYTE / seconds),
                Texts.number(kilobytes / run.transactionCount()),
                images == null
                    ? ""
                    : ", %s full-page images/s".formatted(Texts.number(images / seconds))));
  }
}
