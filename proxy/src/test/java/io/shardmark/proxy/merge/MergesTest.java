package io.shardmark.proxy.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.RowField;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MergesTest {
  private static final int INT4 = 23;
  private static final int TEXT = 25;
  private static final int JSON = 114;
  private static final OrderItem FIRST_ASCENDING = new OrderItem(0, false, false, false);

  private static final MergeSpec SORTED =
      new MergeSpec(List.of(FIRST_ASCENDING), 0, Long.MAX_VALUE, 0);

  private final List<String> given = new ArrayList<>();

  private static List<RowField> columns(int... types) {
    List<RowField> columns = new ArrayList<>();
    for (int type : types) {
      columns.add(new RowField("x", 0, 0, type, -1, -1, 0));
    }
    return columns;
  }

  private static RowMerger open(MergeSpec spec, int shards, int... types) {
    return spec.open(columns(types), false, shards, 10_000);
  }

  private void row(RowMerger merger, int answer, @Nullable String... values) {
    byte[] @Nullable [] bytes = new byte[values.length][];
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      bytes[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuf body = Unpooled.wrappedBuffer(Answer.body(bytes));
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
    RowMerger merger = open(new MergeSpec(List.of(), 1, 2, 0), 2, INT4);
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

  private static void assertRefused(long offset, long limit, String state) {
    assertThatThrownBy(() -> open(new MergeSpec(List.of(), offset, limit, 0), 2, INT4))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState().code()).isEqualTo(state));
  }

  @Test
  void negativeLimitsAndOffsetsAreRefused() {
    assertThat(open(new MergeSpec(List.of(), 0, 0, 0), 2, INT4).satisfied()).isTrue();
    assertRefused(0, -1, "2201W");
    assertRefused(-1, 1, "2201X");
  }

  @Test
  void sortedRowsPassWhenEveryOpenAnswerShowsOne() {
    RowMerger merger = open(SORTED, 3, INT4);
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
    RowMerger merger = open(SORTED, 2, INT4);
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
    RowMerger merger = open(SORTED, 2, INT4);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                row(merger, 0, "7");
              }
            })
        .isInstanceOfSatisfying(
            MergeRefusedException.class,
            e -> {
              assertThat(e.sqlState().code()).isEqualTo("53200");
              assertThat(e.hint()).contains("scatter_memory_limit");
            });
    merger.close();
  }

  @Test
  void oneShardNeedsNoOrderOfOurs() {
    RowMerger merger = open(SORTED, 1, TEXT);
    row(merger, 0, "b");
    row(merger, 0, "a");
    assertThat(given).containsExactly("b|", "a|");
  }

  @Test
  void unknownCollationsAndTypesAreRefused() {
    assertThatThrownBy(() -> open(SORTED, 2, TEXT))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState().code()).isEqualTo("0A000"))
        .hasMessage("the collation of column \"x\" cannot be compared outside the server");
    assertThatThrownBy(() -> open(SORTED, 2, JSON)).isInstanceOf(MergeRefusedException.class);
  }

  @Test
  void datesInAnotherStyleAreRefused() {
    RowMerger merger = open(SORTED, 2, 1082);
    assertThatThrownBy(() -> row(merger, 0, "01/02/2024"))
        .isInstanceOf(MergeRefusedException.class)
        .hasMessageContaining("DateStyle ISO");
  }

  @Test
  void aRowOfAnotherWidthIsAProtocolError() {
    RowMerger merger = open(SORTED, 2, INT4);
    assertThatThrownBy(() -> row(merger, 0, "1", "2"))
        .isInstanceOfSatisfying(
            MergeRefusedException.class, e -> assertThat(e.sqlState().code()).isEqualTo("08P01"));
    ByteBuffer cut = ByteBuffer.allocate(8).putShort((short) 1).putInt(9);
    assertThatThrownBy(() -> merger.row(0, Unpooled.wrappedBuffer(cut.array()), message -> {}))
        .isInstanceOf(MergeRefusedException.class);
  }
}
