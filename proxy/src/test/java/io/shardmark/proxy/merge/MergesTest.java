package io.shardmark.proxy.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MergesTest {
  private static final int INT4 = 23;
  private static final int INT8 = 20;
  private static final int TEXT = 25;
  private static final int NUMERIC = 1700;
  private static final int FLOAT8 = 701;
  private static final int JSON = 114;
  private static final OrderItem FIRST_ASCENDING =
      OrderItem.of(0, OrderItem.Direction.ASCENDING, TextOrder.UNKNOWN);

  private final List<String> given = new ArrayList<>();

  private static List<ColumnDescription> columns(int... types) {
    List<ColumnDescription> columns = new ArrayList<>();
    for (int type : types) {
      columns.add(new ColumnDescription("x", 0, 0, type, -1, -1, false));
    }
    return columns;
  }

  private static RowMerger open(MergeSpec spec, int shards, int... types) {
    return spec.open(columns(types), shards, 10_000);
  }

  private void row(RowMerger merger, int answer, @Nullable String... values) {
    byte[] @Nullable [] bytes = new byte[values.length][];
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      bytes[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuf body = Unpooled.wrappedBuffer(Row.of(bytes).body());
    merger.row(answer, body, this::take);
    assertThat(body.refCnt()).isEqualTo(1);
    body.release();
  }

  private void take(ByteBuf message) {
    byte[] body = new byte[message.readableBytes() - 5];
    message.getBytes(5, body);
    message.release();
    given.add(Answer.shown(body, Answer.Format.TEXT));
  }

  @Test
  void concatPassesEachRowOnAtOnceWithinItsWindow() {
    RowWindow window = new RowWindow(new RowCount.Constant(2), new RowCount.Constant(1));
    RowMerger merger = open(Merges.concat(window, 0), 2, INT4);
    row(merger, 0, "1");
    assertThat(given).isEmpty();
    row(merger, 1, "2");
    assertThat(given).containsExactly("2|");
    assertThat(merger.satisfied()).isFalse();
    row(merger, 0, "3");
    assertThat(merger.satisfied()).isTrue();
    row(merger, 0, "4");
    assertThat(given).containsExactly("2|", "3|");
    assertThat(merger.rowCount()).isEqualTo(2);
  }

  @Test
  void limitAndOffsetComeFromParameters() {
    RowWindow window = new RowWindow(new RowCount.Parameter(1), new RowCount.Parameter(0));
    List<@Nullable Long> values = new ArrayList<>(List.of(1L, 1L));
    MergeSpec spec = Merges.concat(window, 0);
    RowMerger merger = spec.with(values::get).open(columns(INT4), 2, 1000);
    row(merger, 0, "1");
    row(merger, 0, "2");
    row(merger, 0, "3");
    assertThat(given).containsExactly("2|");
    values.set(1, null);
    RowMerger unlimited = spec.with(values::get).open(columns(INT4), 2, 1000);
    assertThat(unlimited.satisfied()).isFalse();
    values.set(1, 0L);
    assertThat(spec.with(values::get).open(columns(INT4), 2, 1000).satisfied()).isTrue();
    values.set(1, -1L);
    assertThatThrownBy(() -> spec.with(values::get).open(columns(INT4), 2, 1000))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState()).isEqualTo("2201W"));
    values.set(1, 1L);
    values.set(0, -1L);
    assertThatThrownBy(() -> spec.with(values::get).open(columns(INT4), 2, 1000))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState()).isEqualTo("2201X"));
  }

  @Test
  void sortedRowsPassWhenEveryOpenAnswerShowsOne() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 3, INT4);
    row(merger, 0, "1");
    row(merger, 0, "5");
    row(merger, 1, "2");
    assertThat(given).isEmpty();
    merger.answerEnd(2, this::take);
    assertThat(given).containsExactly("1|", "2|");
    row(merger, 1, "9");
    assertThat(given).containsExactly("1|", "2|", "5|");
    merger.answerEnd(0, this::take);
    assertThat(given).endsWith("9|");
    merger.finish(this::take);
    assertThat(merger.rowCount()).isEqualTo(4);
  }

  @Test
  void anAnswerThatIsFarAheadPausesAndGoesOn() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 2, INT4);
    int rows = 0;
    while (!merger.ahead(0)) {
      row(merger, 0, String.valueOf(rows++));
    }
    assertThat(merger.ahead(1)).isFalse();
    row(merger, 1, "1000");
    assertThat(merger.ahead(0)).isFalse();
    assertThat(given).hasSize(rows);
  }

  @Test
  void tooMuchHeldBackIsRefused() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 2, INT4);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                row(merger, 0, "7");
              }
            })
        .isInstanceOfSatisfying(
            MergeRefusedException.class,
            e -> {
              assertThat(e.sqlState()).isEqualTo("53200");
              assertThat(e.hint()).contains("scatter_memory_limit");
            });
    merger.close();
    RowMerger groups =
        open(Merges.grouped(List.of(0), List.of(), List.of(), RowWindow.ALL, 0), 2, INT4);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                row(groups, 0, String.valueOf(i));
              }
            })
        .isInstanceOf(MergeRefusedException.class);
  }

  @Test
  void oneShardNeedsNoOrderOfOurs() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 1, TEXT);
    row(merger, 0, "b");
    row(merger, 0, "a");
    assertThat(given).containsExactly("b|", "a|");
  }

  @Test
  void equalNumericsAreOneGroupInTheFirstsText() {
    MergeSpec spec =
        Merges.grouped(
            List.of(0),
            List.of(Aggregate.of(Aggregate.Function.COUNT, 1)),
            List.of(),
            RowWindow.ALL,
            0);
    RowMerger merger = open(spec, 2, NUMERIC, INT8);
    row(merger, 0, "1.0", "2");
    row(merger, 1, "1.00", "3");
    row(merger, 1, null, "1");
    row(merger, 0, null, "1");
    row(merger, 0, "NaN", "1");
    row(merger, 1, "NaN", "4");
    merger.finish(this::take);
    assertThat(given).containsExactly("1.0|5|", "NULL|2|", "NaN|5|");
  }

  @Test
  void negativeZeroIsZero() {
    RowMerger merger = open(Merges.distinct(List.of(), RowWindow.ALL, 0), 2, FLOAT8);
    row(merger, 0, "-0");
    row(merger, 1, "0");
    row(merger, 1, "NaN");
    row(merger, 0, "NaN");
    assertThat(given).containsExactly("-0|", "NaN|");
  }

  @Test
  void distinctOnKeepsTheFirstOfTheOrder() {
    OrderItem second = OrderItem.of(1, OrderItem.Direction.DESCENDING, TextOrder.UNKNOWN);
    MergeSpec spec =
        Merges.distinctOn(List.of(0), List.of(FIRST_ASCENDING, second), RowWindow.ALL, 1);
    RowMerger merger = open(spec, 2, INT4, INT4);
    assertThat(spec.visibleColumns(2)).isEqualTo(1);
    row(merger, 0, "1", "5");
    row(merger, 1, "1", "7");
    row(merger, 1, "2", "1");
    row(merger, 0, "2", "9");
    merger.finish(this::take);
    assertThat(given).containsExactly("1|", "2|");
  }

  @Test
  void aggregatesOverNothingAreNullOrZero() {
    MergeSpec spec =
        Merges.grouped(
            List.of(),
            List.of(
                Aggregate.of(Aggregate.Function.COUNT, 0),
                Aggregate.of(Aggregate.Function.SUM, 1),
                Aggregate.average(2, 1, 0)),
            List.of(),
            RowWindow.ALL,
            0);
    RowMerger merger = open(spec, 2, INT8, INT8, NUMERIC);
    row(merger, 0, "0", null, null);
    row(merger, 1, "0", null, null);
    merger.finish(this::take);
    assertThat(given).containsExactly("0|NULL|NULL|");
  }

  @Test
  void sumsOverflowAsTheServersDo() {
    MergeSpec spec =
        Merges.grouped(
            List.of(),
            List.of(Aggregate.of(Aggregate.Function.SUM, 0)),
            List.of(),
            RowWindow.ALL,
            0);
    RowMerger merger = open(spec, 2, FLOAT8);
    row(merger, 0, "1.7e308");
    assertThatThrownBy(() -> row(merger, 1, "1.7e308"))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState()).isEqualTo("22003"));
  }

  @Test
  void unknownCollationsAndTypesAreRefused() {
    assertThatThrownBy(
            () -> open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 2, TEXT))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState()).isEqualTo("0A000"))
        .hasMessage("the collation of column \"x\" cannot be compared outside the server");
    assertThatThrownBy(() -> open(Merges.distinct(List.of(), RowWindow.ALL, 0), 2, JSON))
        .isInstanceOf(MergeRefusedException.class);
    assertThatThrownBy(
            () ->
                open(
                    Merges.grouped(
                        List.of(),
                        List.of(Aggregate.of(Aggregate.Function.SUM, 0)),
                        List.of(),
                        RowWindow.ALL,
                        0),
                    2,
                    INT4))
        .isInstanceOf(MergeRefusedException.class);
    open(Merges.distinct(List.of(), RowWindow.ALL, 0), 2, TEXT).close();
  }

  @Test
  void datesInAnotherStyleAreRefused() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 2, 1082);
    assertThatThrownBy(() -> row(merger, 0, "01/02/2024"))
        .isInstanceOf(MergeRefusedException.class)
        .hasMessageContaining("DateStyle ISO");
  }

  @Test
  void aRowOfAnotherWidthIsAProtocolError() {
    RowMerger merger = open(Merges.sorted(List.of(FIRST_ASCENDING), RowWindow.ALL, 0), 2, INT4);
    assertThatThrownBy(() -> row(merger, 0, "1", "2"))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState()).isEqualTo("08P01"));
    ByteBuffer cut = ByteBuffer.allocate(8).putShort((short) 1).putInt(9);
    assertThatThrownBy(() -> merger.row(0, Unpooled.wrappedBuffer(cut.array()), message -> {}))
        .isInstanceOf(MergeRefusedException.class);
  }

  /** As PostgreSQL answers to {@code select a::numeric / b}; MergeOracleTest asks it for more. */
  @ParameterizedTest
  @CsvSource({
    "10, 3, 3.3333333333333333",
    "1, 3, 0.33333333333333333333",
    "0, 7, 0.00000000000000000000",
    "2, 1, 2.0000000000000000",
    "20000, 3, 6666.6666666666666667",
    "100000000, 3, 33333333.333333333333",
    "1.00000000000000000000000001, 1, 1.00000000000000000000000001",
    "-7, 2, -3.5000000000000000"
  })
  void averagesHaveTheServersScale(String sum, long count, String quotient) {
    assertThat(NumericValue.of(new BigDecimal(sum)).divide(count).text()).isEqualTo(quotient);
  }

  @ParameterizedTest
  @CsvSource({"0", "0.00", "1", "-1.50", "10000", "12345678.9", "0.00001", "100000000", "NaN"})
  void numericsSurviveTheBinaryFormat(String text) {
    byte[] binary = NumericValue.ofText(text).binary();
    assertThat(NumericValue.ofBinary(binary).text()).isEqualTo(text);
  }
}
