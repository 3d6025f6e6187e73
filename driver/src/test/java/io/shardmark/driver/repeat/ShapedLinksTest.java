package io.shardmark.driver.repeat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a user types it: figure 5, over its slowest link. */
final class ShapedLinksTest {
  @TempDir private Path temporary;

  private String repeat(List<String> prefix, int status) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "io.shardmark.driver.Main"));
    command.addAll(List.of("repeat", "bmt", "--rows", "1G", "--output"));
    command.add(temporary.resolve("results").toString());
    command.addAll(
        List.of("rampupMins", "0", "runMins", "0", "runTxnsPerTerminal", "20", "rows", "4000"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(status);
    return said;
  }

  /** Or, where namespaces are forbidden, one line that says so. */
  @Test
  void insertsAndDeletesGoOverALinkIntoTheSourcesTable() throws Exception {
    Process probe = new ProcessBuilder("unshare", "--net", "true").start();
    if (probe.waitFor() != 0) {
      assertThat(repeat(List.of(), 1)).contains("links cannot be shaped: unshare --net: ");
      return;
    }
    String said = repeat(List.of(), 0);
    assertThat(said).contains("Figure 5: Standard BMT Benchmark").contains("Wrote ");
    // Published, here, published, here; the ratios of 1G to itself.
    assertThat(said)
        .containsPattern(
            "\n1G +45,119 +[1-9][\\d,]* +52,180 +[1-9][\\d,]* +1\\.00 +1\\.00 +1\\.00");
    assertThat(temporary.resolve("results/repeat.html")).exists();
  }

  @Test
  void aMachineWithoutTheProgramsIsOneLine() throws Exception {
    String said = repeat(List.of("env", "PATH=/nowhere"), 1);
    assertThat(said.strip().lines())
        .singleElement()
        .asString()
        .contains("links cannot be shaped: unshare --net: cannot be started; run as root on Linux");
  }
}
