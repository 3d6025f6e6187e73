package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OsCollectorTest {
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final String NUMBER = "(0|[1-9]\\d*)\\.\\d+";

  @TempDir Path directory;
  private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();

  @BeforeAll
  static void onLinuxOnly() {
    assumeTrue(Files.exists(Path.of("/proc/stat")), "no /proc on this machine");
  }

  private static OsCollectorConfig config(String... devices) {
    return new OsCollectorConfig(INTERVAL, Optional.empty(), List.of(devices), List.of());
  }

  private void collect(SnapshotSource source, int snapshots, String... devices)
      throws IOException, InterruptedException {
    CountedSource counted = new CountedSource(source, snapshots);
    OsCollector collector =
        OsCollector.start(
            config(devices), counted, new CollectorFiles(3, directory, ""), 1, warnings::add);
    try (collector) {
      assertThat(counted.await()).as("snapshots taken; warnings: " + warnings).isTrue();
    }
  }

  private void assertRows(String file, String header, int atLeast, String rest) throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve(file));
    assertThat(lines.get(0)).isEqualTo(header);
    assertThat(lines).hasSizeGreaterThanOrEqualTo(atLeast + 1);
    long before = 0;
    for (String line : lines.subList(1, lines.size())) {
      assertThat(line).matches("3,\\d+," + rest);
      long elapsed = Long.parseLong(line.split(",", -1)[1]);
      assertThat(elapsed % INTERVAL.toMillis()).isZero();
      assertThat(elapsed).isGreaterThan(before);
      before = elapsed;
    }
  }

  @Test
  void collectsThisMachine() throws IOException, InterruptedException {
    collect(ProcSource.here(Path.of("/")), 5, "net_lo", "net_nosuch0");

    assertRows("sys_info.csv", CollectorRow.SYS_INFO_HEADER, 3, "(" + NUMBER + ",){10}\\d+");
    assertRows("net_lo.csv", DeviceKind.NET.header(), 3, "net_lo(," + NUMBER + "){4}");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.peek())
        .startsWith("OS collector: no such device")
        .contains("net_nosuch0; ");
    assertThat(directory.resolve("net_nosuch0.csv")).doesNotExist();
    assertSharesAddUpToOne();
  }

  /** The 8 shares of all time; guest is part of user. */
  private void assertSharesAddUpToOne() throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve("sys_info.csv"));
    List<Double> sums = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      double sum = 0;
      for (String share : List.of(line.split(",", -1)).subList(2, 10)) {
        sum += Double.parseDouble(share);
      }
      sums.add(sum);
    }
    // 0 when no tick passed.
    assertThat(sums).allMatch(sum -> sum == 0 || Math.abs(sum - 1) < 1e-9);
  }

  @Test
  void publicEntryCollectsThisMachine() throws IOException {
    OsCollector.start(config("auto"), 3, directory, warnings::add).close();

    assertThat(Files.readAllLines(directory.resolve("sys_info.csv")).get(0))
        .isEqualTo(CollectorRow.SYS_INFO_HEADER);
  }

  @Test
  void otherSystemsAreReadThroughTheLibrary() throws IOException, InterruptedException {
    collect(new OshiSource(), 3);

    assertRows("sys_info.csv", CollectorRow.SYS_INFO_HEADER, 1, "(" + NUMBER + ",){10}0");
  }

  @Test
  void directoryThatIsMissingIsReportedAtTheStart() {
    assertThatThrownBy(
            () -> OsCollector.start(config(), 3, directory.resolve("gone"), warnings::add))
        .isInstanceOf(IOException.class);
  }

  @Test
  void readsTheFilesOfAMachine() throws IOException {
    Path proc = Files.createDirectories(directory.resolve("proc"));
    Files.createDirectories(directory.resolve("sys/block/sda/device"));
    Files.createDirectories(directory.resolve("sys/block/loop0"));
    Files.writeString(proc.resolve("stat"), "cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n");
    Files.writeString(proc.resolve("vmstat"), "nr_free_pages 5\nnr_dirty 11\n");
    Files.writeString(
        proc.resolve("diskstats"),
        " 8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");

    MachineCounters snapshot = ProcSource.here(directory).take();

    assertThat(snapshot.cpu()).isEqualTo(Counters.of(1, 2, 3, 4, 5, 6, 7, 8, 0, 0));
    assertThat(snapshot.dirtyPages()).isEqualTo(11);
    assertThat(snapshot.physicalDisks()).containsExactly("blk_sda");
    assertThat(snapshot.devices()).containsOnlyKeys("blk_loop0", "blk_sda");
  }

  /**
   * Stands in for ssh: takes its arguments as ssh does, keeps them in a file, and runs the command
   * here instead of there.
   */
  private Path scriptedSsh(String before) throws IOException {
    Path script = directory.resolve("ssh");
    Files.writeString(
        script,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > %1$s/arguments
        echo x >> %1$s/starts
        %2$s
        for last; do :; done
        exec /bin/sh -c "$last"
        """
            .formatted(directory, before));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  @Test
  void collectsThroughSsh() throws IOException, InterruptedException {
    Path ssh = scriptedSsh("echo 'Welcome: 3 updates'");

    collect(ProcSource.over(List.of(ssh.toString()), "bench@db1"), 4, "net_lo");

    assertThat(warnings).isEmpty();
    assertRows("sys_info.csv", CollectorRow.SYS_INFO_HEADER, 2, "(" + NUMBER + ",){10}\\d+");
    assertRows("net_lo.csv", DeviceKind.NET.header(), 2, "net_lo(," + NUMBER + "){4}");
    assertThat(Files.readAllLines(directory.resolve("arguments")))
        .contains("BatchMode=yes", "ConnectTimeout=10")
        .containsSubsequence("--", "bench@db1");
    assertThat(Files.readAllLines(directory.resolve("starts"))).hasSize(1);
  }

  @Test
  void lostConnectionIsOneWarningAndIsOpenedAgain() throws IOException, InterruptedException {
    Path ssh =
        scriptedSsh(
            """
            if [ $(wc -l < %1$s/starts) -le 2 ]; then
              echo 'ssh: connect to host db1 port 22: Connection refused' >&2
              exit 255
            fi
            if [ $(wc -l < %1$s/starts) -eq 3 ]; then
              read tick; printf 'proc/stat:cpu  1 2 3 4\\n@end\\n'
              read tick; printf 'proc/stat:cpu  1'
              exit 255
            fi
            """
                .formatted(directory));

    collect(ProcSource.over(List.of(ssh.toString()), "bench@db1"), 4);

    assertThat(warnings)
        .containsExactly(
            "OS collector: no figures until it works again: ssh: connect to host db1 port 22:"
                + " Connection refused",
            "OS collector: works again",
            "OS collector: no figures until it works again: connection ended",
            "OS collector: works again");
    assertThat(Files.readAllLines(directory.resolve("starts"))).hasSize(4);
    assertRows("sys_info.csv", CollectorRow.SYS_INFO_HEADER, 1, "(" + NUMBER + ",){10}\\d+");
  }

  @Test
  void closeEndsAConnectionThatHangs() throws IOException, InterruptedException {
    Path ssh = scriptedSsh("echo $$ > %s/pid; exec cat > /dev/null".formatted(directory));
    OsCollector collector =
        OsCollector.start(
            config(),
            ProcSource.over(List.of(ssh.toString()), "bench@db1"),
            new CollectorFiles(3, directory, ""),
            1,
            warnings::add);
    try (collector) {
      await()
          .atMost(Duration.ofMinutes(4))
          .ignoreExceptionsInstanceOf(NoSuchFileException.class)
          .until(() -> Files.readString(directory.resolve("pid")).endsWith("\n"));
    }
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());

    assertThat(
            ProcessHandle.of(pid)
                .map(handle -> handle.onExit().orTimeout(4, TimeUnit.MINUTES).join())
                .filter(ProcessHandle::isAlive))
        .isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void missingSshIsAWarning() throws IOException, InterruptedException {
    SnapshotSource source =
        ProcSource.over(List.of(directory.resolve("no-ssh").toString()), "bench@db1");
    try (OsCollector collector =
        OsCollector.start(
            config(), source, new CollectorFiles(3, directory, ""), 1, warnings::add)) {
      assertThat(collector).isNotNull();
      assertThat(warnings.take()).contains("no-ssh");
    }
  }
}
