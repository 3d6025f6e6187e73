package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.tpcc.TpccKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file as a whole: where values come from, what is said about them, what is kept. */
final class BenchmarkPropertiesTest {
  private static final String STARS = "***********";

  private static BenchmarkProperties parse(String text) {
    return parse(text, Map.of());
  }

  private static BenchmarkProperties parse(String text, Map<String, String> overrides) {
    return BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), text, overrides);
  }

  @Test
  void readsBytesAsLatin1(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("props.pg");
    byte[] content =
        "user=caf\u00e9\npassword=\u00ff\u0085x\n//\u0080\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, content);

    BenchmarkProperties properties = BenchmarkProperties.read(TestCatalog.TPCC, file, Map.of());

    assertThat(properties.source()).isEqualTo(file);
    assertThat(properties.text("user")).contains("caf\u00e9");
    assertThat(properties.maskedText().getBytes(StandardCharsets.ISO_8859_1))
        .isEqualTo(
            ("user=caf\u00e9\npassword=" + STARS + "\n//\u0080\n")
                .getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void missingFileIsOneLine(@TempDir Path directory) {
    Path file = directory.resolve("props.pg");

    assertThatThrownBy(() -> BenchmarkProperties.read(TestCatalog.TPCC, file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ": no such file or directory");
    assertThatThrownBy(
            () -> BenchmarkProperties.read(TestCatalog.TPCC, Path.of("props.none"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.none: no such file or directory");
  }

  @Test
  void directoryIsNoFile(@TempDir Path directory) {
    assertThatThrownBy(() -> BenchmarkProperties.read(TestCatalog.TPCC, directory, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(directory + ": is a directory: expected a properties file");
  }

  @Test
  void junkAndUnknownKeysAreSilent() {
    BenchmarkProperties properties =
        parse("//osCollectorSSHAddr=a@b\n// warehouses=x\n//To run\nfoo=1\nmonkeys=2\n");

    assertThat(properties.warnings()).isEmpty();
    assertThat(properties.text("foo")).isEmpty();
    assertThat(properties.text("//osCollectorSSHAddr")).isEmpty();
  }

  @Test
  void misspeltKeyIsAWarningWithItsLine() {
    assertThat(parse("db=postgres\nwarehouse=5\nPASSWORD=secret\n").warnings())
        .containsExactly(
            "props.pg:2: unknown key 'warehouse' is ignored: did you mean 'warehouses'?",
            "props.pg:3: unknown key 'PASSWORD' is ignored: did you mean 'password'?");
  }

  @Test
  void lastOfTwoDefinitionsCounts() {
    BenchmarkProperties properties = parse("warehouses=1\nloadWorkers=2\nwarehouses=3\n");

    assertThat(properties.values().integer(TpccKey.WAREHOUSES, 0)).isEqualTo(3);
    assertThat(properties.warnings())
        .containsExactly("props.pg:3: key 'warehouses' is also on line 1: the last one counts");
  }

  @Test
  void textIsTheValueWithoutTrailingBlanks() {
    BenchmarkProperties properties =
        parse("runMins=0.20 \t\nuser=\npassword=x\ncsvNullValue= \\  \n");

    assertThat(properties.text("runMins")).contains("0.20");
    assertThat(properties.text("user")).isEmpty();
    assertThat(properties.text("terminals")).isEmpty();
    assertThat(properties.text("password")).as("never shown").isEmpty();
    assertThat(properties.text("csvNullValue")).contains("  ");
  }

  @Test
  void overrideWinsInAnyCase() {
    BenchmarkProperties properties =
        parse("warehouses=1\nloadWorkers=2\n", Map.of("WAREHOUSES", "100"));

    assertThat(properties.values().integer(TpccKey.WAREHOUSES, 0)).isEqualTo(100);
    assertThat(properties.load().workers()).isEqualTo(2);
    assertThat(properties.warnings()).isEmpty();
  }

  @Test
  void badOverrideIsFoundOnTheCommandLine() {
    assertThatThrownBy(
            () ->
                parse("warehouses=1", Map.of("warehouses", "many"))
                    .values()
                    .requiredInteger(TpccKey.WAREHOUSES))
        .isInstanceOf(ConfigException.class)
        .hasMessage("command line: warehouses=many: expected a whole number from 1");
  }

  @Test
  void firstOfTwoPairsOnTheCommandLineCounts(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("p"), "warehouses=1\n");

    BenchmarkProperties properties =
        BenchmarkProperties.read(
            TestCatalog.TPCC, file, List.of("LoadWorkers", "8", "loadworkers", "9"));

    assertThat(properties.load().workers()).isEqualTo(8);
    assertThat(properties.warnings())
        .containsExactly("command line: 'loadworkers' is given again: the first one counts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TERMINALS=5     | %'TERMINALS=5' is no key: expected a key and its value as two words, 'terminals 5'
          terminals=5     | %'terminals=5' is no key: expected a key and its value as two words, 'terminals 5'
          password=secret | %'password=***********' is no key: expected a key and its value as two words, 'password ***********'
          terminals       | %key 'terminals' has no value: expected KEY VALUE pairs after the file
          seed 1 Terminals| %key 'terminals' has no value: expected KEY VALUE pairs after the file
          terminal 5      | unknown key 'terminal': did you mean 'terminals'?
          terminal=5      | unknown key 'terminal=5': did you mean 'terminals'?
          warehouses 5 10 | unknown key '10': expected KEY VALUE pairs after the file
          foo 1           | unknown key 'foo': expected KEY VALUE pairs after the file
          foo             | unknown key 'foo': expected KEY VALUE pairs after the file
          """)
  void wordsThatAreNoPairsAreWrongUsage(String words, String message, @TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("p"), "warehouses=1\n");

    assertThatThrownBy(
            () -> BenchmarkProperties.read(TestCatalog.TPCC, file, List.of(words.split(" ", -1))))
        .isInstanceOf(UsageException.class)
        .hasMessage("command line: " + message.replace("%", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          password=PWbmsql                            | password=*
          password = my secret                        | password = *
          password:x                                  | password:*
          password x                                  | password *
          passwd=x                                    | passwd=*
          Password=x                                  | Password=*
          dbpwd=x                                     | dbpwd=*
          #password=old                               | #*password=*
          // password=old                             | // password=*
          # password is in the vault                  | # password is in the vault
          user=password                               | user=password
          conn=jdbc:postgresql://h/d?password=x&a=b   | conn=jdbc:postgresql://h/d?password=*&a=b
          conn=jdbc:postgresql://h/d?a=b&sslpassword=x| conn=jdbc:postgresql://h/d?a=b&sslpassword=*
          conn=jdbc:oracle:thin:scott/tiger@h:1521:XE | conn=jdbc:oracle:thin:scott/*@h:1521:XE
          conn=jdbc:oracle:thin:@//h:1521/XE          | conn=jdbc:oracle:thin:@//h:1521/XE
          conn=jdbc:mysql://root:x@h:3306/d           | conn=jdbc:mysql://root:*@h:3306/d
          conn=jdbc:postgresql://h:5432,i:5432/d      | conn=jdbc:postgresql://h:5432,i:5432/d
          """)
  void keptTextHasNoPassword(String line, String expected) {
    String before = "# head\r\ndb=postgres \n";
    String after = "\r\nwarehouses=1\\\n  0\n";
    String kept = expected.replace("#*p", "#p").replace("*", STARS);

    assertThat(parse(before + line + after).maskedText()).isEqualTo(before + kept + after);
  }

  @Test
  void keptTextMasksContinuedAndRepeatedPasswords() {
    assertThat(parse("password=a\\\n  b\nuser=u\npassword=c").maskedText())
        .isEqualTo("password=" + STARS + "\nuser=u\npassword=" + STARS);
  }

  @Test
  void keptTextReadsBackAsWhatWasRun() {
    Map<String, String> overrides = new LinkedHashMap<>();
    overrides.put("Terminals", "50");
    overrides.put("password", "secret");
    overrides.put("fileLocation", "C:\\csv\\");
    BenchmarkProperties properties =
        parse("terminals=1\nwarehouses=9\nrunMins=1\npassword=old", overrides);

    String kept = properties.maskedText();

    assertThat(kept).doesNotContain("secret", "old");
    assertThat(parse(kept).run().terminals()).isEqualTo(50);
    assertThat(parse(kept).load().filePrefix()).contains("C:\\csv\\");
  }

  @Test
  void noMessageShowsAPassword() {
    assertThatThrownBy(() -> parse("conn=postgresql://h/d?password=secret").connection())
        .isInstanceOf(ConfigException.class)
        .hasMessageNotContaining("secret");
    assertThat(parse("pasword=secret").warnings().toString()).doesNotContain("secret");
  }

  @Test
  void messageIsOneLineWhateverTheValue() {
    assertThatThrownBy(
            () ->
                parse("warehouses=a\\nb" + "c".repeat(500))
                    .values()
                    .requiredInteger(TpccKey.WAREHOUSES))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props.pg:1: warehouses=a?b" + "c".repeat(77) + "...: expected a whole number from 1");
  }

  @Test
  void refusalThatComesLaterNamesThePlaceOfTheValue() {
    ConfigException refusal = new ConfigException("warehouses=5: expected at most 1");

    assertThat(parse("db=postgres\nwarehouses=5").located(refusal))
        .hasMessage("props.pg:2: warehouses=5: expected at most 1");
    assertThat(parse("warehouses=1", Map.of("warehouses", "5")).located(refusal))
        .hasMessage("command line: warehouses=5: expected at most 1");
    assertThat(parse("db=postgres").located(refusal)).isSameAs(refusal);
    ConfigException other = new ConfigException("no tables: conn=x");
    assertThat(parse("conn=x").located(other)).isSameAs(other);
  }

  @Test
  void settingsAreWhatWasGivenWithoutPasswords() {
    BenchmarkProperties properties =
        parse("runMins=1\npassword=secret\nterminals=7\nretries=0", Map.of("terminals", "9"));

    assertThat(properties.settings())
        .contains(
            new Setting("terminals", "9", "required", OptionalInt.empty()),
            new Setting("password", STARS, "required", OptionalInt.of(2)))
        .extracting(Setting::key)
        .doesNotContain("warehouses");
    assertThat(properties.settings().stream().filter(Setting::differs).map(Setting::key))
        .contains("terminals")
        .doesNotContain("retries");
  }
}
