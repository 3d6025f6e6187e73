package io.shardmark.proxy.standby;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.standby.HostReport.ServerRole;
import io.shardmark.proxy.standby.HostReport.Silent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How old what standbys show may be: by hand, then against a shard that is simulated. */
final class StandbyLevelsTest {
  private static final int PRIMARY = 0;
  private static final int STANDBY = 1;
  private static final int OTHER = 2;
  private static final long LIMIT = 100;

  private ShardPrimary known;
  private StandbyLevels levels = StandbyLevels.NONE;

  @BeforeEach
  void beginWithThreeHosts() {
    known = ShardPrimary.unknown("s1", List.of("a", "b", "c"));
    for (int round = 0; round < 2; round++) {
      hears(PRIMARY, ServerRole.PRIMARY, 1, 0, round);
      hears(STANDBY, ServerRole.STANDBY, 1, 0, round);
      hears(OTHER, ServerRole.STANDBY, 1, 0, round);
    }
    levels = StandbyLevels.NONE;
    assertThat(known.primary()).isEqualTo(PRIMARY);
  }

  private void hears(int host, ServerRole role, int timeline, long position, long now) {
    hears(
        host,
        new HostReport.HostAnswer(
            role, 7, timeline, position, Optional.of("s1"), ShardPrimaryTest.place(host)),
        now);
  }

  private void hears(int host, HostReport report, long now) {
    known = known.heard(host, report, now, now).next();
    levels = levels.after(known, now, LIMIT);
  }

  private boolean shows(long since, long now, long limit) {
    return levels.shows(null, since, now, limit);
  }

  private void wrote(long position, long now) {
    hears(PRIMARY, ServerRole.PRIMARY, 1, position, now);
  }

  private void replayed(int host, long position, long now) {
    hears(host, ServerRole.STANDBY, 1, position, now);
  }

  @Test
  void aStandbyShowsWhatWasWrittenBeforeThePrimaryWasAsked() {
    wrote(1000, 10);
    replayed(STANDBY, 999, 12);
    assertThat(shows(10, 12, LIMIT)).isFalse();
    replayed(STANDBY, 1000, 14);
    assertThat(levels.chosen()).isEqualTo(STANDBY);
    assertThat(shows(10, 14, LIMIT)).isTrue();
    assertThat(shows(11, 14, LIMIT)).as("written after the question").isFalse();
    assertThat(levels.ageNanos(STANDBY, 14)).contains(4L);
  }

  @Test
  void aStandbyThatStaysBackIsLeftForTheOther() {
    wrote(1000, 10);
    replayed(STANDBY, 1000, 11);
    assertThat(levels.chosen()).isEqualTo(STANDBY);
    wrote(2000, 100);
    replayed(STANDBY, 1000, 101);
    replayed(OTHER, 2000, 102);
    assertThat(levels.chosen()).as("within the limit").isEqualTo(STANDBY);
    assertThat(shows(10, 111, LIMIT)).isFalse();
    replayed(STANDBY, 1000, 111);
    assertThat(levels.chosen()).isEqualTo(OTHER);
    assertThat(levels.shows(ShardPrimaryTest.place(OTHER).address(), 100, 111, LIMIT)).isTrue();
    assertThat(levels.shows(ShardPrimaryTest.place(STANDBY).address(), 100, 111, LIMIT))
        .as("the former one")
        .isFalse();
    replayed(OTHER, 2000, 300);
    assertThat(levels.chosen()).as("nothing is known of the primary since").isEqualTo(-1);
  }

  @Test
  void aStandbyThatDoesNotAnswerIsNotRead() {
    wrote(1000, 10);
    replayed(STANDBY, 1000, 11);
    hears(STANDBY, new Silent("refused"), 12);
    assertThat(shows(5, 12, LIMIT)).isFalse();
  }

  @Test
  void whileThePrimaryIsLostAStandbyIsReadUpToTheLimit() {
    wrote(1000, 10);
    replayed(STANDBY, 1000, 11);
    hears(PRIMARY, new Silent("refused"), 20);
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    assertThat(shows(5, 20, LIMIT)).isTrue();
    assertThat(shows(5, 111, LIMIT)).isFalse();
  }

  @Test
  void positionsOfAnOtherTimelineDoNotCount() {
    wrote(1000, 10);
    replayed(OTHER, 1000, 11);
    hears(STANDBY, ServerRole.PRIMARY, 2, 900, 20);
    hears(PRIMARY, new Silent("refused"), 21);
    hears(STANDBY, ServerRole.PRIMARY, 2, 900, 22);
    hears(OTHER, ServerRole.STANDBY, 1, 1000, 23);
    assertThat(known.primary()).isEqualTo(STANDBY);
    assertThat(levels.chosen()).as("it follows the old primary").isEqualTo(-1);
    hears(OTHER, ServerRole.STANDBY, 2, 900, 24);
    assertThat(levels.chosen()).isEqualTo(OTHER);
    assertThat(shows(22, 24, LIMIT)).isTrue();
  }

  /** What a standby is said to show it does show, whatever is asked when. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noWriteIsMissed(long seed) {
    Random random = new Random(seed);
    Map<Long, Long> committed = new HashMap<>();
    long[] position = new long[3];
    int shown = 0;
    for (long now = 10; now < 3000; now++) {
      int event = random.nextInt(10);
      if (event < 3) {
        position[PRIMARY] += 1 + random.nextInt(50);
        committed.put(now, position[PRIMARY]);
      } else if (event < 6) {
        int host = 1 + random.nextInt(2);
        position[host] += random.nextLong(position[PRIMARY] - position[host] + 1);
      } else if (event < 8) {
        wrote(position[PRIMARY], now);
      } else {
        int host = 1 + random.nextInt(2);
        replayed(host, position[host], now);
      }
      long asked = now - random.nextInt(50);
      if (shows(asked, now, LIMIT)) {
        shown++;
        long replayed = position[levels.chosen()];
        committed.forEach(
            (at, end) -> {
              if (at < asked) {
                assertThat(end)
                    .as("seed %d, written at %d", seed, at)
                    .isLessThanOrEqualTo(replayed);
              }
            });
      }
    }
    assertThat(shown).isPositive();
  }
}
