package io.shardmark.driver.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultDirectoryTest {
  private static final ZonedDateTime START =
      ZonedDateTime.of(2026, 11, 20, 9, 5, 3, 25_000_000, ZoneId.of("Europe/Berlin"));

  @TempDir Path temporary;

  @Test
  void resolvesDateConversionsAndKeepsTheRest() {
    assertThat(ResultDirectory.resolve("my_result_%tY-%tm-%td_%tH%tM%tS", START))
        .isEqualTo("my_result_2026-11-20_090503");
    assertThat(ResultDirectory.resolve("100%_%tj", START)).isEqualTo("100%_324");
    assertThat(ResultDirectory.resolve("plain", START)).isEqualTo("plain");
    assertThat(ResultDirectory.resolve("%d%s%n", START)).isEqualTo("%d%s%n");
  }

  @Test
  void aWrongConversionIsTheUsersFault() {
    assertThatThrownBy(() -> ResultDirectory.resolve("x_%tQQ%t!", START))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "resultDirectory=x_%tQQ%t!: '%t!' is not a date conversion, expected one such as"
                + " %tY %tm %td");
    assertThatThrownBy(() -> ResultDirectory.resolve("x_%t", START))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'%t' at the end");
  }

  @Test
  void refusesADirectoryThatExists() {
    String pattern = temporary + "/r_%tY";
    assertThat(ResultDirectory.create(pattern, START).data()).isDirectory();
    assertThatThrownBy(() -> ResultDirectory.create(pattern, START))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "resultDirectory: Failed to create directory '%s/r_2026': it exists already"
                .formatted(temporary));
  }

  @Test
  void makesNoParents() {
    assertThatThrownBy(() -> ResultDirectory.create(temporary + "/no/such", START))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("Failed to create directory")
        .hasMessageContaining("does not exist");
  }

  @Test
  void aFileInTheWayIsToldInOneLine() throws IOException {
    Files.writeString(temporary.resolve("file"), "");
    assertThatThrownBy(() -> ResultDirectory.create(temporary + "/file/below", START))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("Failed to create directory")
        .hasMessageNotContaining("\n");
  }

  @Test
  void runPropertiesKeepTheirEncodingAndNoOtherFileStays() throws IOException {
    ResultDirectory directory = ResultDirectory.create(temporary + "/r", START);
    directory.writeRunProperties("# gr\u00fcn\nuser=x\n");
    assertThat(
            Files.readString(
                directory.root().resolve("run.properties"), StandardCharsets.ISO_8859_1))
        .isEqualTo("# gr\u00fcn\nuser=x\n");
    try (var files = Files.list(directory.root())) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("data", "run.properties");
    }
  }
}
