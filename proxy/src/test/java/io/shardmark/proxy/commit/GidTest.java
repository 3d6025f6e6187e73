package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GidTest {
  private static final Gid GID = new Gid("s_1", 0x0123_4567_89ab_cdefL, 42);

  @Test
  void namesAnchorIncarnationAndCounter() {
    assertThat(GID.text()).isEqualTo("shardmark:s_1:0123456789abcdef:42");
    assertThat(GID.textFor("s-2")).isEqualTo("shardmark:s_1:0123456789abcdef:42:s-2");
  }

  @Test
  void readsBackWhatItWrote() {
    for (long incarnation : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      Gid gid = new Gid("a", incarnation, Long.MAX_VALUE);
      assertThat(Gid.parse(gid.text())).contains(gid);
      assertThat(Gid.parsePrepared(gid.textFor("b"))).contains(new Gid.PreparedName(gid, "b"));
    }
  }

  /** PG18 sql-prepare-transaction: "must be less than 200 bytes long". */
  @Test
  void isShortEnoughWithTheLongestNames() {
    String name = "x".repeat(Gid.MAX_SHARD_NAME_LENGTH);
    String text = new Gid(name, -1, Long.MAX_VALUE).textFor(name);
    assertThat(text.length()).isLessThanOrEqualTo(Gid.MAX_LENGTH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shardmark:",
        "shardmark:s1:0123456789abcdef:",
        "shardmark:s1:0123456789ABCDEF:1",
        "shardmark:s1:0123456789abcde:1",
        "shardmark:s1:0123456789abcdef:-1",
        "shardmark:s1:0123456789abcdef:9999999999999999999",
        "shardmark:S1:0123456789abcdef:1",
        "shardmark:s1:0123456789abcdef:1'",
        "shardmark:s1:0123456789abcdef:1\n",
        "other:s1:0123456789abcdef:1",
      })
  void takesNothingElseForAGid(String text) {
    assertThat(Gid.parse(text)).isEmpty();
    assertThat(Gid.parsePrepared(text + ":s2")).isEmpty();
  }

  @Test
  void needsTheParticipantInAPreparedName() {
    assertThat(Gid.parsePrepared(GID.text())).isEmpty();
    assertThat(Gid.parsePrepared(GID.textFor("s2"))).isPresent();
    assertThat(Gid.parsePrepared("shardmark_s1")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "S1", "s 1", "s:1", "s'1", "ä"})
  void refusesWhatCannotBeAShardName(String name) {
    assertThatThrownBy(() -> new Gid(name, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GID.textFor(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eachWriterIsTheAnchorInTurn() {
    GidSequence sequence = new GidSequence();
    List<String> anchors =
        Stream.generate(() -> sequence.next(List.of("a", "b", "c")).anchor())
            .limit(4 * GidSequence.GIDS_PER_TURN)
            .toList();
    for (int turn = 0; turn < 4; turn++) {
      int first = turn * GidSequence.GIDS_PER_TURN;
      assertThat(anchors.subList(first, first + GidSequence.GIDS_PER_TURN))
          .containsOnly(List.of("c", "a", "b", "c").get(turn));
    }
  }

  @Test
  void neverDrawsTheSameTwice() {
    GidSequence sequence = new GidSequence();
    assertThat(sequence.next(List.of("a"))).isNotEqualTo(sequence.next(List.of("a")));
    assertThat(new GidSequence().next(List.of("a")).text())
        .isNotEqualTo(new GidSequence().next(List.of("a")).text());
  }
}
