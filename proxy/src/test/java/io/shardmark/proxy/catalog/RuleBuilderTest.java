package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the bounds that catalogs have, as pg_get_expr writes them, to the shards of keys. */
final class RuleBuilderTest {
  private static final List<String> SHARDS = List.of("a", "b", "c");

  private final List<String> warnings = new ArrayList<>();

  /**
   * @param partitions {@code bound on shard; ...}
   */
  private PartitionRule built(char strategy, KeyType type, String partitions, Integer... unread)
      throws UnroutableException {
    List<RuleBuilder.PlacedPartition> placed =
        Stream.of(partitions.split("; ", -1))
            .map(text -> text.split(" on ", -1))
            .map(
                part ->
                    new RuleBuilder.PlacedPartition(
                        "p" + part[0].length(), part[0], SHARDS.indexOf(part[1])))
            .toList();
    return new RuleBuilder(SHARDS, List.of(unread), warnings).build(strategy, type, placed);
  }

  private static @Nullable Object key(String text, KeyType type) {
    if (text.equals("null")) {
      return null;
    }
    return type == KeyType.INTEGER ? Long.valueOf(text) : text;
  }

  private static String shard(int index) {
    return index == PartitionRule.NO_PARTITION ? "-" : SHARDS.get(index);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          l ! INTEGER ! FOR VALUES IN (1, 2) on a; FOR VALUES IN (NULL) on b; DEFAULT on c ! 1/2/null/7 ! a a b c
          l ! INTEGER ! FOR VALUES IN ('-1', '9223372036854775807'::bigint) on b ! -1/9223372036854775807/1/null ! b b - -
          l ! TEXT    ! FOR VALUES IN ('it''s', 'a, b') on a ! it's/a, b/a ! a a -
          r ! INTEGER ! FOR VALUES FROM (MINVALUE) TO (10) on a; FOR VALUES FROM (10) TO ('20') on b ! -5/9/10/19/20/null ! a a b b - -
          r ! INTEGER ! FOR VALUES FROM (20) TO (MAXVALUE) on b; FOR VALUES FROM (1) TO (20) on a; DEFAULT on c ! 0/1/20/null ! c a b c
          r ! TEXT    ! FOR VALUES FROM ('a') TO ('m') on a; FOR VALUES FROM ('m') TO ('z') on b ! a/lzz/m/z ! a a b -
          """)
  void placesKeys(char strategy, KeyType type, String partitions, String keys, String expected)
      throws UnroutableException {
    PartitionRule rule = built(strategy, type, partitions);
    assertThat(
            Stream.of(keys.split("/", -1))
                .map(text -> shard(rule.shardOf(key(text, type))))
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          l ! FOR VALUES IN (1) on a; FOR VALUES IN (2, 1) on b                              ! has value 1 on shards a and b
          l ! FOR VALUES IN (NULL) on a; FOR VALUES IN (NULL) on c                           ! has NULL on shards a and c
          r ! FOR VALUES FROM (1) TO (10) on a; FOR VALUES FROM (9) TO (20) on b             ! has ranges that overlap at 9 on shards a and b
          r ! DEFAULT on a; DEFAULT on b                                                     ! has a default partition on shards a and b
          l ! FOR VALUES IN (1.5) on a                                                       ! has a bound that is not understood: For input string: "1.5"
          l ! FOR VALUES IN (f(1)) on a                                                      ! has a bound that is not understood: partition bound FOR VALUES IN (f(1))
          r ! FOR VALUES FROM (1, 2) TO (3, 4) on a                                          ! has a bound that is not understood: partition bound FOR VALUES FROM (1, 2) TO (3, 4)
          h ! FOR VALUES WITH (modulus 2, remainder 1) on a; FOR VALUES WITH (modulus 4, remainder 3) on b ! has remainder 3 of modulus 4 on shards a and b
          h ! FOR VALUES WITH (modulus 4, remainder 0) on a; FOR VALUES WITH (modulus 6, remainder 1) on b ! has partitions of moduli that are no factors of each other: p40
          h ! FOR VALUES WITH (modulus 9999999, remainder 1) on a                            ! has a modulus over 1048576
          h ! FOR VALUES IN (1) on a                                                         ! has a bound that is not understood: partition bound FOR VALUES IN (1)
          x ! FOR VALUES IN (1) on a                                                         ! has an unknown partition strategy x
          """)
  void refusesWhatIsNotOneRule(char strategy, String partitions, String expected) {
    assertThat(refusal(strategy, partitions)).isEqualTo(expected);
  }

  private String refusal(char strategy, String partitions, Integer... unread) {
    try {
      built(strategy, KeyType.INTEGER, partitions, unread);
      return "";
    } catch (UnroutableException e) {
      return Objects.requireNonNull(e.getMessage());
    }
  }

  /** By remainder. */
  private static String shards(PartitionRule rule) {
    return rule.placements().stream()
        .map(one -> one.remainder() + shard(one.shard()))
        .collect(Collectors.joining(" "));
  }

  private static final String HALF = "FOR VALUES WITH (modulus 2, remainder 0) on a";

  @Test
  void smallerModuliTakeSeveralRemainders() throws UnroutableException {
    String others =
        "; FOR VALUES WITH (modulus 4, remainder 1) on b; FOR VALUES WITH (modulus 4, remainder 3) on c";
    assertThat(shards(built('h', KeyType.INTEGER, HALF + others))).isEqualTo("0a 1b 2a 3c");
    assertThat(warnings).isEmpty();
  }

  @Test
  void warnsOfRemaindersThatNoShardHas() throws UnroutableException {
    assertThat(shards(built('h', KeyType.INTEGER, HALF))).isEqualTo("0a");
    assertThat(warnings)
        .containsExactly(
            "has no partition for remainder 1 of modulus 2; rows that belong there are refused");
    assertThat(shards(built('h', KeyType.INTEGER, HALF, 2))).isEqualTo("0a 1c");
    assertThat(refusal('h', HALF, 1, 2)).contains("until shard b has been read");
    assertThat(refusal('l', "FOR VALUES IN (1) on a", 2)).contains("until shard c has been read");
    assertThat(warnings).hasSize(1);
  }
}
