package io.shardmark.proxy.shardmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rules by themselves; CatalogReaderTest compares them with PostgreSQL. */
final class RulesTest {
  @Test
  void hashPlacesTheFirstSixteenWarehouses() {
    HashRule rule = HashRule.oneRemainderPerShard(4);

    assertThat(LongStream.rangeClosed(1, 16).boxed().map(rule::shardOf))
        .containsExactly(0, 2, 1, 3, 1, 3, 3, 1, 1, 3, 1, 0, 2, 0, 3, 0);
    assertThat(rule.shardOf(null)).isZero();
  }

  @Test
  void equalHashRulesAreEqual() {
    HashRule rule = new HashRule(2, new int[] {0, 1});

    assertThat(rule)
        .isEqualTo(HashRule.oneRemainderPerShard(2))
        .hasSameHashCodeAs(HashRule.oneRemainderPerShard(2))
        .isNotEqualTo(new HashRule(2, new int[] {1, 0}))
        .isNotEqualTo(new HashRule(4, new int[] {0, 1, 0, 1}));
    assertThatThrownBy(() -> new HashRule(3, new int[] {0, 1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hashPlacementsLeaveOutMissingRemainders() {
    assertThat(new HashRule(3, new int[] {1, PartitionRule.NO_PARTITION, 0}).placements())
        .containsExactly(
            new PartitionRule.RulePlacement(3, 0, "FOR VALUES WITH (modulus 3, remainder 0)", 1),
            new PartitionRule.RulePlacement(3, 2, "FOR VALUES WITH (modulus 3, remainder 2)", 0));
  }

  @Test
  void listKnowsNullAndTheRest() {
    BoundsRule closed =
        new BoundsRule(
            "list",
            List.of(
                new BoundsRule.RangeBound("a", "a", 1),
                new BoundsRule.RangeBound("it's", "it's", 0)),
            2,
            PartitionRule.NO_PARTITION);
    BoundsRule open =
        new BoundsRule(
            "list", List.of(new BoundsRule.RangeBound(5L, 5L, 1)), PartitionRule.NO_PARTITION, 0);

    assertThat(closed.shardOf("a")).isEqualTo(1);
    assertThat(closed.shardOf("b")).isEqualTo(PartitionRule.NO_PARTITION);
    assertThat(closed.shardOf(null)).isEqualTo(2);
    assertThat(open.shardOf(6L)).isZero();
    assertThat(open.shardOf(null)).isZero();
    assertThat(closed.placements())
        .extracting(PartitionRule.RulePlacement::bound)
        .containsExactly("FOR VALUES IN ('a')", "FOR VALUES IN ('it''s')", "FOR VALUES IN (NULL)");
  }

  @Test
  void rangesIncludeTheirLowerEndOnly() {
    BoundsRule rule =
        new BoundsRule(
            "range",
            List.of(
                new BoundsRule.RangeBound(null, 0L, 0),
                new BoundsRule.RangeBound(10L, 20L, 1),
                new BoundsRule.RangeBound(20L, null, 2)),
            PartitionRule.NO_PARTITION,
            PartitionRule.NO_PARTITION);

    assertThat(LongStream.of(Long.MIN_VALUE, -1, 0, 9, 10, 19, 20).boxed().map(rule::shardOf))
        .containsExactly(0, 0, -1, -1, 1, 1, 2);
    assertThat(rule.placements())
        .extracting(PartitionRule.RulePlacement::bound)
        .contains("FOR VALUES FROM (MINVALUE) TO (0)", "FOR VALUES FROM (20) TO (MAXVALUE)");
  }

  @Test
  void textRangesOrderAsBytesOfUtf8() {
    // U+FF5E is below U+1D11E, though its char is above the surrogates that stand for the latter.
    BoundsRule rule =
        new BoundsRule(
            "range",
            List.of(new BoundsRule.RangeBound("\uFF5E", null, 1)),
            PartitionRule.NO_PARTITION,
            0);

    assertThat(rule.shardOf("\uD834\uDD1E")).isEqualTo(1);
    assertThat(rule.shardOf("a")).isZero();
    assertThat(rule.shardOf("\uFF5E!")).isEqualTo(1);
  }
}
