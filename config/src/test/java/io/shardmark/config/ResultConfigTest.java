package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultConfigTest {
  private static ResultConfig result(String lines) {
    return BenchmarkProperties.parse(
            TestCatalog.TPCC, Path.of("props.pg"), lines.replace(';', '\n'), Map.of())
        .result();
  }

  @Test
  void withoutKeysNothingIsWritten() {
    assertThat(result(""))
        .isEqualTo(
            new ResultConfig(
                Optional.empty(), ResultRows.ALL, 100, false, Optional.empty(), Optional.empty()));
  }

  @Test
  void takesEveryKey() {
    ResultConfig result =
        result(
            "resultDirectory=out_%tY%tm_50%;resultRows=sampled;resultSampleEvery=7;statementTimes=True;failOn=tpmC<9;"
                + "osCollectorScript=./misc/os_collector_linux.py;osCollectorInterval=5;osCollectorSSHAddr=oracle@192.0.2.20;osCollectorDevices="
                + " net_eth0  blk_nvme0n1 ");

    assertThat(result)
        .isEqualTo(
            new ResultConfig(
                Optional.of("out_%tY%tm_50%"),
                ResultRows.SAMPLED,
                7,
                true,
                Optional.of("tpmC<9"),
                Optional.of(
                    new OsCollectorConfig(
                        Duration.ofSeconds(5),
                        Optional.of("oracle@192.0.2.20"),
                        List.of("net_eth0", "blk_nvme0n1"),
                        List.of()))));
  }

  /** none, or where the collector looks. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "blk_auto net_auto", "auto blk_sda"})
  void takesAllDevicesByName(String devices) {
    ResultConfig result =
        result("osCollectorScript=x;resultDirectory=r;osCollectorDevices=" + devices);
    assertThat(result.osCollector().orElseThrow().devices())
        .containsExactly(devices.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          osCollectorDevices=net_lo                              | none
          osCollectorScript=x                                    | here
          osCollector=true                                       | here
          osCollector=LOCAL                                      | here
          osCollector=true;osCollectorSSHAddr=a@b                | a@b
          osCollector=local;osCollectorSSHAddr=a@b               | here
          osCollectorScript=x;osCollectorSSHAddr=a@b             | a@b
          osCollectorScript=x;osCollector=false                  | none
          """)
  void collectorIsOnByScriptOrByKey(String lines, String expected) {
    String where =
        result("resultDirectory=r;" + lines)
            .osCollector()
            .map(collector -> collector.sshAddress().orElse("here"))
            .orElse("none");

    assertThat(where).isEqualTo(expected);
  }

  /** As published files have them: remarks after the value, and names that no device has. */
  @Test
  void remarksAndWrongDevicesStopNoRun() {
    OsCollectorConfig collector =
        result(
                "resultDirectory=r;osCollectorScript=x;osCollectorSSHAddr=a@b c@d e@f #by key;osCollectorDevices=net_enp4s0 blk_ nvme1n1 #Adjust")
            .osCollector()
            .orElseThrow();
    assertThat(collector.sshAddress()).contains("a@b");
    assertThat(collector.others()).containsExactly("c@d", "e@f");
    assertThat(collector.devices()).containsExactly("net_enp4s0", "blk_", "nvme1n1");
  }

  @Test
  void collectorNeedsAResultDirectory() {
    assertThat(result("osCollector=true;osCollectorInterval=x").osCollector()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resultDirectory=r_%t        | resultDirectory=r_%t: expected a date or time conversion after each %t, such as %tY
          resultDirectory=r_%tY%tx    | resultDirectory=r_%tY%tx: expected a date or time conversion after each %t, such as %tY
          resultRows=some             | resultRows=some: expected all, sampled or none
          resultSampleEvery=0         | resultSampleEvery=0: expected a whole number from 1
          osCollector=maybe           | osCollector=maybe: expected one of true, local, false
          osCollectorInterval=0       | osCollectorInterval=0: expected a whole number from 1 to 3600
          osCollectorInterval=0.5     | osCollectorInterval=0.5: expected a whole number from 1 to 3600
          osCollectorSSHAddr=-oProxyCommand=x | osCollectorSSHAddr=-oProxyCommand=x: expected user@host, or several with blanks between them
          """)
  void refuses(String line, String message) {
    assertThatThrownBy(() -> result("osCollectorScript=x;resultDirectory=r;" + line))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.pg:3: " + message);
  }
}
