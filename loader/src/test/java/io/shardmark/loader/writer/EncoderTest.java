package io.shardmark.loader.writer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EncoderTest {
  private static final String HEADER = "5047434f50590aff0d0a00" + "00000000" + "00000000";
  private static final String TRAILER = "ffff";
  private static final int BLOCK_BYTES = 8_192;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void binaryRowHasItsFieldCountAndLengths() {
    assertThat(
            binary(
                2,
                encoder -> {
                  encoder.int32(-2);
                  encoder.text("xABCx".getBytes(US_ASCII), 1, 3);
                }))
        .isEqualTo("0002" + "00000004fffffffe" + "00000003414243");
  }

  @Test
  void binaryNullIsLengthMinusOne() {
    assertThat(binary(1, BinaryCopyEncoder::nullValue)).isEqualTo("0001" + "ffffffff");
  }

  @Test
  void binaryTimestampCountsMicrosecondsFrom2000() {
    assertThat(binary(1, encoder -> encoder.timestamp(946_684_800_000_001L)))
        .isEqualTo("0001" + "00000008" + "0000000000000001");
  }

  @ParameterizedTest
  @CsvSource({
    // unscaled, scale, digits, weight, sign, scale, base-10,000 digits
    "0,          2, 0000 0000 0000 0002",
    "1,          2, 0001 ffff 0000 0002 0064",
    "-1000,      2, 0001 0000 4000 0002 000a",
    "1250,       4, 0001 ffff 0000 0004 04e2",
    "999999,     2, 0002 0000 0000 0002 270f 26ac",
    "30000000,   2, 0001 0001 0000 0002 001e",
    "5000000,    2, 0001 0001 0000 0002 0005",
    "100000001,  2, 0003 0001 0000 0002 0064 0000 0064",
    "1000000000, 0, 0001 0002 0000 0000 000a",
    "10001,      1, 0002 0000 0000 0001 03e8 03e8"
  })
  void binaryNumericIsInBase10000(long unscaled, int scale, String expected) {
    String numeric = expected.replace(" ", "");
    assertThat(binary(1, encoder -> encoder.decimal(unscaled, scale)))
        .isEqualTo("0001" + "%08x".formatted(numeric.length() / 2) + numeric);
  }

  @Test
  void blocksEndBetweenRows() {
    int[] blocks = new int[1];
    BinaryCopyEncoder encoder =
        new BinaryCopyEncoder(
            (block, offset, length) -> {
              blocks[0]++;
              written.write(block, offset, length);
            },
            BLOCK_BYTES);
    encoder.begin(1);
    for (int i = 0; i < 5_000; i++) {
      encoder.startRow();
      encoder.int32(i);
    }
    encoder.finish();
    assertThat(blocks[0]).isGreaterThan(5);
    assertThat(written.size()).isEqualTo(HEADER.length() / 2 + 5_000 * 10 + 2);
  }

  private String binary(int columns, Consumer<BinaryCopyEncoder> row) {
    BinaryCopyEncoder encoder = new BinaryCopyEncoder(written::write, BLOCK_BYTES);
    encoder.begin(columns);
    encoder.startRow();
    row.accept(encoder);
    encoder.finish();
    String all = HexFormat.of().formatHex(written.toByteArray());
    assertThat(all).startsWith(HEADER).endsWith(TRAILER);
    return all.substring(HEADER.length(), all.length() - TRAILER.length());
  }

  @Test
  void csvLinesAreSeparatedByCommasAndEndInLf() {
    CsvEncoder encoder = new CsvEncoder(written::write, "\\N", BLOCK_BYTES);
    encoder.begin();
    encoder.startRow();
    encoder.int32(Integer.MIN_VALUE);
    encoder.text("abc".getBytes(US_ASCII), 0, 3);
    encoder.startRow();
    encoder.nullValue();
    encoder.decimal(-1_000, 2);
    encoder.finish();
    assertThat(written.toString(US_ASCII)).isEqualTo("-2147483648,abc\n\\N,-10.00\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, 0.00",
    "5, 2, 0.05",
    "-5, 4, -0.0005",
    "2000, 4, 0.2000",
    "30000000, 2, 300000.00",
    "7, 0, 7",
    "999999, 2, 9999.99"
  })
  void csvDecimalsKeepTheirScale(long unscaled, int scale, String expected) {
    assertThat(csv(encoder -> encoder.decimal(unscaled, scale))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1767323045678000, 2026-01-02 03:04:05.678",
    "1767323045600000, 2026-01-02 03:04:05.6",
    "1767323045000000, 2026-01-02 03:04:05.0"
  })
  void csvTimestampsAreThoseOfTimestampToString(long micros, String expected) {
    assertThat(csv(encoder -> encoder.timestamp(micros))).isEqualTo(expected);
  }

  private String csv(Consumer<CsvEncoder> field) {
    CsvEncoder encoder = new CsvEncoder(written::write, "NULL", BLOCK_BYTES);
    encoder.begin();
    encoder.startRow();
    field.accept(encoder);
    encoder.finish();
    return written.toString(US_ASCII).strip();
  }
}
