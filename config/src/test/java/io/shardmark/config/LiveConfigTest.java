package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.LiveConfig.Listener;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LiveConfigTest {
  private static LiveConfig live(String line) {
    return BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), line, Map.of()).live();
  }

  @Test
  void withoutKeysNothingListens() {
    assertThat(live("")).isEqualTo(new LiveConfig(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 127.0.0.1, 0",
    "9188, 127.0.0.1, 9188",
    "0.0.0.0:9188, 0.0.0.0, 9188",
    "bench-1.example:80, bench-1.example, 80",
    "[::1]:65535, ::1, 65535",
    "[fe80::1%eth0]:1, fe80::1%eth0, 1",
  })
  void listensOnThisMachineUnlessAnAddressIsGiven(String value, String host, int port) {
    assertThat(live("metricsPort=" + value).listener())
        .contains(new Listener(host, port, "props.pg:1: metricsPort=" + value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"65536", "-1", "abc", "host", "host:", "::1:80", "[::1]", "1 2", "a b:1"})
  void refusesWhatIsNoAddress(String value) {
    assertThatThrownBy(() -> live("metricsPort=" + value))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props.pg:1: metricsPort="
                + value
                + ": expected a port from 0 to 65535, or an address and a port such as"
                + " 0.0.0.0:9188 or [::1]:9188");
  }
}
