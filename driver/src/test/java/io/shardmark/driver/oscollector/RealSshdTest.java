package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import io.shardmark.servers.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The remote path over a real sshd, private to the test: own port, own host key, own user key. */
final class RealSshdTest {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");
  private static final Path SEPARATION = Path.of("/run/sshd");

  @TempDir Path directory;
  private final Queue<String> warnings = new ConcurrentLinkedQueue<>();

  private static void assumeOrLog(boolean fine, String reason) {
    if (!fine) {
      System.getLogger("tests").log(System.Logger.Level.WARNING, "skipped: " + reason);
    }
    assumeTrue(fine, reason);
  }

  @Test
  void collectsFromAnotherMachine() throws IOException, InterruptedException {
    assumeOrLog(Files.isExecutable(SSHD), "no sshd on this machine");
    assumeOrLog(
        System.getProperty("user.name").equals("root"), "sshd for tests is started as root");
    Files.createDirectories(SEPARATION); // sshd wants it, its service would make it
    int port = FreePort.find();
    Process sshd = startSshd(port);
    try {
      awaitPort(sshd, port);
      collect("ssh://" + System.getProperty("user.name") + "@127.0.0.1:" + port);
    } finally {
      sshd.destroy();
      sshd.waitFor(1, TimeUnit.MINUTES);
    }

    assertThat(warnings).isEmpty();
    assertThat(Files.readAllLines(directory.resolve("sys_info.csv"))).hasSizeGreaterThan(2);
    assertThat(Files.readAllLines(directory.resolve("net_lo.csv")).get(1))
        .matches("9,\\d+,net_lo(,\\d+\\.\\d+){4}");
  }

  private void collect(String address) throws IOException, InterruptedException {
    ProcSource source =
        ProcSource.over(
            List.of(
                "ssh",
                "-F",
                "none",
                "-i",
                directory.resolve("user_key").toString(),
                "-o",
                "IdentitiesOnly=yes",
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=" + directory.resolve("known_hosts")),
            address);
    CountedSource counted = new CountedSource(source, 4);
    OsCollectorConfig config =
        new OsCollectorConfig(
            Duration.ofMillis(200), Optional.of(address), List.of("net_lo"), List.of());
    try (OsCollector collector =
        OsCollector.start(
            config,
            counted,
            new CollectorFiles(9, directory, ""),
            TimeUnit.SECONDS.toNanos(1),
            warnings::add)) {
      assertThat(collector).isNotNull();
      assertThat(counted.await()).as("snapshots over ssh; warnings: " + warnings).isTrue();
    }
  }

  private Process startSshd(int port) throws IOException, InterruptedException {
    for (String key : List.of("host_key", "user_key")) {
      assertThat(
              new ProcessBuilder(
                      "ssh-keygen",
                      "-q",
                      "-t",
                      "ed25519",
                      "-N",
                      "",
                      "-f",
                      directory.resolve(key).toString())
                  .inheritIO()
                  .start()
                  .waitFor())
          .isZero();
    }
    Path config = directory.resolve("sshd_config");
    Files.writeString(
        config,
        """
        Port %d
        ListenAddress 127.0.0.1
        HostKey %2$s/host_key
        AuthorizedKeysFile %2$s/user_key.pub
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        PermitRootLogin yes
        PidFile none
        """
            .formatted(port, directory));
    return new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", config.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("sshd.log").toFile())
        .start();
  }

  private void awaitPort(Process sshd, int port) throws IOException {
    await().atMost(Duration.ofMinutes(4)).until(() -> !sshd.isAlive() || listens(port));
    assertThat(sshd.isAlive()).as("%s", Files.readString(directory.resolve("sshd.log"))).isTrue();
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
