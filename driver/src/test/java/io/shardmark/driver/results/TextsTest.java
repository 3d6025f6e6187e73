package io.shardmark.driver.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "999.4|999",
        "999.6|1,000",
        "-999.6|-1,000",
        "1234.5|1,235",
        "0.12345|0.123",
        "NaN|–"
      })
  void threeDigitsAndThousandsApart(double value, String text) {
    assertThat(Texts.three(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"59, 59 s", "59.94, 59.9 s", "59.96, 1 min", "119.7, 2 min", "3661, 1 h 1 min 1 s"})
  void durationsHaveNoSixtySeconds(double seconds, String text) {
    assertThat(Texts.duration(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1023, '1,023 B'", "-5368709120, -5 GB", "Infinity, –", "NaN, –"})
  void bytesMayBeFewerThanBeforeOrNotKnown(double bytes, String text) {
    assertThat(Texts.bytes(bytes)).isEqualTo(text);
  }
}
