package io.shardmark.sql.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EmbeddedOptionsTest {
  @Test
  void withoutOptionsNothingIsKeptAndCommitsWaitForTheDisk() {
    assertThat(EmbeddedOptions.parse("embedded:postgres"))
        .isEqualTo(
            new EmbeddedOptions(
                EmbeddedOptions.Form.POSTGRES,
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                true,
                Optional.empty(),
                Map.of(),
                2,
                1,
                Optional.empty(),
                EmbeddedOptions.Standbys.ONE));
  }

  @Test
  void readsEveryOption() {
    assertThat(
            EmbeddedOptions.parse(
                "embedded:postgres?data=/a%20b/c+d&port=5433&memory=2GB&fsync=off&connections=70"
                    + "&set.work_mem=8MB"))
        .isEqualTo(
            new EmbeddedOptions(
                EmbeddedOptions.Form.POSTGRES,
                Optional.of(Path.of("/a b/c+d")),
                true,
                Optional.of(5433),
                Optional.of(2L << 30),
                false,
                Optional.of(70),
                Map.of("work_mem", "8MB"),
                2,
                1,
                Optional.empty(),
                EmbeddedOptions.Standbys.ONE));
  }

  @Test
  void readsTheOptionsOfSeveralServersWithThoseOfOne() {
    EmbeddedOptions sharded =
        EmbeddedOptions.parse("embedded:sharded?shards=4&fsync=off&proxies=3&memory=1GB");
    assertThat(sharded.form()).isEqualTo(EmbeddedOptions.Form.SHARDED);
    assertThat(sharded.shards()).isEqualTo(4);
    assertThat(sharded.proxies()).isEqualTo(3);
    assertThat(EmbeddedOptions.parse("embedded:replicated?standby=logical").standbys().logical())
        .isTrue();
    assertThat(EmbeddedOptions.parse("embedded:replicated?standby=physical").standbys().logical())
        .isFalse();

    EmbeddedOptions one =
        EmbeddedOptions.parse("embedded:sharded?memory=1GB&port=5433&set.a=1")
            .ofServer(Optional.of(Path.of("s1")), Optional.empty(), 4, Map.of("a", "0", "b", "2"));
    assertThat(one.data()).contains(Path.of("s1"));
    assertThat(one.port()).isEmpty();
    assertThat(one.memoryBytes()).contains(256L << 20);
    assertThat(one.settings()).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void anOptionIsSetInPlaceOfTheOneThatIsThere() {
    assertThat(EmbeddedConn.with("embedded:sharded", "shards", "4"))
        .isEqualTo("embedded:sharded?shards=4");
    assertThat(EmbeddedConn.with("embedded:sharded?shards=2&fsync=off", "shards", "4"))
        .isEqualTo("embedded:sharded?fsync=off&shards=4");
    String odd = EmbeddedConn.with("embedded:postgres?port=5433", "data", "/a%b&c");
    assertThat(EmbeddedOptions.parse(odd).data()).contains(Path.of("/a%b&c"));
  }

  @Test
  void serversThatAreStartedTogetherShareTheMemoryThatNoneAskedFor() {
    assertThat(EmbeddedConn.sharingMemory("embedded:postgres", 1)).isEqualTo("embedded:postgres");
    assertThat(EmbeddedConn.sharingMemory("embedded:postgres?memory=1GB", 5))
        .isEqualTo("embedded:postgres?memory=1GB");
    String shared = EmbeddedConn.sharingMemory("embedded:postgres?fsync=off", 5);
    assertThat(EmbeddedOptions.parse(shared).memoryBytes().orElseThrow())
        .isCloseTo(EmbeddedServer.machineMemoryBytes() / 10, Percentage.withPercentage(2));
    assertThat(EmbeddedConn.sharingMemory("embedded:postgres", 1 << 30))
        .isEqualTo("embedded:postgres?memory=64MB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          embedded:oracle                     | expected embedded:postgres
          embedded:sharded2                   | expected embedded:postgres
          embedded:postgres?shards=2          | unknown option "shards"; options are data=DIR, keep
          embedded:sharded?standby=logical    | unknown option "standby"
          embedded:sharded?shards=65          | "65", expected a whole number from 1 to 64
          embedded:sharded?shards=1&shards=2  | "shards" is given twice
          embedded:replicated?standby=warm    | "warm", expected logical or physical
          embedded:replicated?standbys=17     | "17", expected a whole number from 1 to 16
          embedded:replicated?subscriptions=6 | "6", expected 1, or standby=logical and one standby
          embedded:replicated?synchronous=two | "two", expected all or one
          embedded:sharded?proxies=2&via=unix | "2", expected 1 with via=unix
          embedded:postgres?via=10.0.0.1      | "10.0.0.1", expected unix, or an address such as 127.1.0.1
          embedded:postgres?=                 | is not of the form option=value
          embedded:postgres?dat=x             | unknown option "dat"; options are data=DIR, keep
          embedded:postgres?set.x;y=1         | unknown option "set.x;y"
          embedded:postgres?port=0            | "0", expected a whole number from 1 to 65535
          embedded:postgres?port=65536        | "65536", expected a whole number from 1 to 65535
          embedded:postgres?port=x            | "x", expected a whole number from 1 to 65535
          embedded:postgres?port=1&port=2     | given twice
          embedded:postgres?memory=1          | a size of at least 64MB
          embedded:postgres?memory=63MB       | a size of at least 64MB
          embedded:postgres?memory=999999999TB| a size of at least 64MB
          embedded:postgres?fsync=true        | "true", expected on or off
          embedded:postgres?keep=on           | "on", expected true or false
          embedded:postgres?keep=true         | data=DIR with it
          embedded:postgres?data=             | expected a directory
          embedded:postgres?data=%zz          | percent sign
          embedded:postgres?set.a=1%0A2       | without control characters
          """)
  void saysWhatIsWrongAndWhatWasExpected(String conn, String message) {
    assertThatThrownBy(() -> EmbeddedOptions.parse(conn))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("conn: ")
        .hasMessageContaining(message);
  }
}
