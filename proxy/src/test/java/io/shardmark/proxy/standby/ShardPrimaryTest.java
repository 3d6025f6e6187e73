package io.shardmark.proxy.standby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Endpoint;
import io.shardmark.proxy.shards.ShardHosts.HostPlace;
import io.shardmark.proxy.standby.HostReport.ServerRole;
import io.shardmark.proxy.standby.HostReport.Silent;
import io.shardmark.proxy.standby.ShardPrimary.PrimaryEffect.AskAll;
import io.shardmark.proxy.standby.ShardPrimary.PrimaryEffect.Cut;
import io.shardmark.proxy.standby.ShardPrimary.PrimaryEffect.Stop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which host is used: every state with every event, then random walks with what always holds. */
final class ShardPrimaryTest {
  private static final long SYSTEM = 7;
  private static final HostReport DOWN = new Silent("refused");

  private ShardPrimary known;
  private long now;

  @BeforeEach
  void beginWithThreeHosts() {
    known = ShardPrimary.unknown("s1", List.of("a", "b", "c"));
  }

  /** Where hosts answer. */
  static HostPlace place(int host) {
    return new HostPlace(
        new Endpoint("h" + host, 5432), InetSocketAddress.createUnresolved("h" + host, 5432));
  }

  private static HostReport.HostAnswer primary(int timeline) {
    return new HostReport.HostAnswer(
        ServerRole.PRIMARY, SYSTEM, timeline, 100, Optional.of("s1"), place(0));
  }

  private static HostReport.HostAnswer standby(int timeline) {
    return new HostReport.HostAnswer(
        ServerRole.STANDBY, SYSTEM, timeline, 100, Optional.of("s1"), place(0));
  }

  /** {@code p2}: a primary on timeline 2; {@code s1}: a standby; {@code -}: no answer. */
  private static HostReport report(String text) {
    int timeline = text.equals("-") ? 0 : Integer.parseInt(text.substring(1));
    return switch (text.charAt(0)) {
      case 'p' -> primary(timeline);
      case 's' -> standby(timeline);
      case 'f' ->
          new HostReport.HostAnswer(
              ServerRole.STANDBY, SYSTEM + 1, timeline, 100, Optional.empty(), place(0));
      case 'o' ->
          new HostReport.HostAnswer(
              ServerRole.PRIMARY, SYSTEM, timeline, 100, Optional.of("s2"), place(0));
      default -> DOWN;
    };
  }

  private List<ShardPrimary.PrimaryEffect> hears(int host, HostReport report) {
    now++;
    return take(known.heard(host, report, now, now));
  }

  private List<ShardPrimary.PrimaryEffect> take(ShardPrimary.PrimaryChange change) {
    known = change.next();
    return change.effects();
  }

  /** {@code a:p1 b:s1}, each asked after all before it. */
  private List<ShardPrimary.PrimaryEffect> hears(String reports) {
    List<ShardPrimary.PrimaryEffect> effects = new ArrayList<>();
    for (String one : reports.split(" ", -1)) {
      effects.addAll(hears(one.charAt(0) - 'a', report(one.substring(2))));
    }
    return effects;
  }

  private void isServedBy(String reports, int host) {
    hears(reports);
    assertThat(known.primary()).isEqualTo(host);
  }

  @Test
  void aPrimaryIsUsedWhenAllOthersHaveBeenAskedAfterIt() {
    assertThat(hears("b:s1 c:- a:p1")).containsExactly(new AskAll());
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    assertThat(hears("b:s1")).isEmpty();
    assertThat(hears("c:-"))
        .containsExactly(new ShardPrimary.PrimaryEffect.UseHost(0, place(0), 1));
    assertThat(known.primary()).isZero();
  }

  @Test
  void whatWasAskedBeforeDoesNotCount() {
    hears("a:p1");
    long before = now;
    now += 10;
    take(known.heard(1, standby(1), before - 1, now));
    take(known.heard(2, standby(1), before - 1, now));
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
  }

  /** From each state: what is heard, and what has to be done. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // state (what has been heard)              | event | effects
        "a:-                                        | a:s1  | ",
        "a:-                                        | a:p1  | ask",
        "a:p1                                       | a:-   | ",
        "a:p1                                       | b:p1  | ",
        "a:p1                                       | b:p2  | ask",
        "a:p1                                       | b:s2  | ",
        "a:p1 b:s1 c:s1                             | a:p1  | ",
        "a:p1 b:s1 c:s1                             | b:-   | ",
        "a:p1 b:s1 c:s1                             | a:-   | stop",
        "a:p1 b:s1 c:s1                             | a:s1  | stop cut",
        "a:p1 b:s1 c:s1                             | a:p2  | stop cut ask",
        "a:p1 b:s1 c:s1                             | b:p2  | stop cut ask",
        "a:p1 b:s1 c:s1                             | b:s2  | stop cut",
        "a:p1 b:s1 c:s1                             | b:p1  | ",
        "a:p1 b:s1 c:s1                             | b:f9  | ",
        "a:p1 b:s1 c:s1                             | b:o9  | ",
        "a:p1 b:s1 c:s1 a:-                         | a:-   | ",
        "a:p1 b:s1 c:s1 a:-                         | a:p1  | ask",
        "a:p1 b:s1 c:s1 a:-                         | a:s1  | cut",
        "a:p1 b:s1 c:s1 a:-                         | b:p2  | cut ask",
        "a:p1 b:s1 c:s1 a:-                         | b:s2  | cut",
        "a:p1 b:s1 c:s1 a:- a:p1                    | b:s1  | ",
        "a:p1 b:s1 c:s1 a:- a:p1                    | b:p2  | cut ask",
        "a:p1 b:s1 c:s1 a:- a:p1 b:s1               | c:s1  | use0@1",
        "a:p1 b:s1 c:s1 a:- a:p1 b:s1               | a:-   | ",
        "a:p1 b:s1 c:s1 a:- b:p2                    | c:s1  | use1@2",
        "a:p1 b:s1 c:s1 a:- b:p2                    | c:-   | use1@2",
        "a:p1 b:s1 c:- a:- b:p2                     | b:p2  | use1@2",
        "a:p1 b:s1 c:s1 a:- b:p2 c:s2               | a:p1  | ",
        "a:p1 b:s1 c:s1 a:- b:p2 c:s2 b:-           | a:p1  | ",
        "a:p1 b:s1 c:s1 a:- b:p2 c:s2 b:- a:p1      | b:p2  | ask",
      })
  void everyStateWithEveryEvent(String before, String event, String effects) {
    hears(before.strip());
    String done =
        String.join(
            " ",
            hears(event.strip()).stream()
                .map(
                    effect ->
                        effect instanceof ShardPrimary.PrimaryEffect.UseHost use
                            ? "use" + use.host() + "@" + use.timeline()
                            : effect instanceof Stop
                                ? "stop"
                                : effect instanceof Cut ? "cut" : "ask")
                .toList());
    assertThat(done).isEqualTo(effects == null ? "" : effects.strip());
  }

  @Test
  void anOlderTimelineIsNotUsedThatAnotherProxyHasSeen() {
    isServedBy("a:p1 b:- c:-", 0);
    assertThat(take(known.seenElsewhere(SYSTEM, 2, ++now))).containsExactly(new Stop(), new Cut());
    assertThat(hears("a:p1 b:- c:-")).isEmpty();
    assertThat(known.state(0)).isEqualTo("fenced");
    assertThat(known.problems())
        .containsExactly(
            "host a of shard s1 is a primary on timeline 1, and timeline 2 exists: it is not used;"
                + " make it a standby again");
    isServedBy("b:p2 a:p1 c:-", 1);
  }

  @Test
  void anOlderTimelineIsNotUsedThatWasSeenElsewhereBefore() {
    assertThat(take(known.seenElsewhere(SYSTEM, 2, ++now))).isEmpty();
    assertThat(known.hasSeen(SYSTEM, 2)).isTrue();
    hears("a:p1 b:- c:- a:p1");
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    assertThat(known.state(0)).isEqualTo("fenced");
  }

  /** As after pg_upgrade, or of a server that has taken over an address of another cluster. */
  @Test
  void timelinesOfAnotherClusterDoNotCount() {
    take(known.seenElsewhere(SYSTEM + 1, 5, ++now));
    isServedBy("a:p1 b:- c:-", 0);
    assertThat(known.newest()).isEqualTo(1);
    assertThat(take(known.seenElsewhere(SYSTEM + 1, 9, ++now))).isEmpty();
    assertThat(hears("b:f12")).isEmpty();
    assertThat(known.primary()).isZero();
    assertThat(known.isOfThisShard(1)).isFalse();
  }

  @Test
  void hostsOfDifferentClustersAreNotUsed() {
    hears("a:p1 b:f1 c:-");
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    assertThat(known.contradictions())
        .containsExactly(
            "hosts a, b, c of shard s1 are of different clusters: their system identifiers are 7,"
                + " 8, ?");
  }

  @Test
  void aForeignHostThatComesLaterChangesNothing() {
    isServedBy("a:p1 b:s1 c:-", 0);
    assertThat(hears("c:f5")).isEmpty();
    assertThat(known.primary()).isZero();
    assertThat(known.state(2)).isEqualTo("foreign");
    assertThat(known.problems()).hasSize(1);
    hears("c:o1");
    assertThat(known.problems()).containsExactly("host c of shard s1 is a server of shard s2");
  }

  @Test
  void ofTwoPrimariesOnOneTimelineNoneIsUsed() {
    hears("a:p1 b:p1 c:- a:p1 b:p1 c:-");
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    assertThat(known.isSettled()).isTrue();
    assertThat(known.contradictions())
        .containsExactly("shard s1 has 2 primaries on timeline 1: a, b; none is used");
  }

  @Test
  void saysWhyThereIsNone() {
    hears("a:- b:s1");
    assertThat(known.isSettled()).isFalse();
    hears("c:s1");
    assertThat(known.isSettled()).isTrue();
    assertThat(known.whyNone())
        .isEqualTo(
            "shard s1 has no primary now: a does not answer (refused); b is standby; c is standby");
  }

  /**
   * Servers that are killed, come back, follow and are promoted; probes whose answers come late.
   * Whoever is used has never shown an older timeline than any that was heard, and two never serve
   * at a time.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void neverUsesAnOlderTimelineThanWasHeard(long seed) {
    Random random = new Random(seed);
    for (int walk = 0; walk < 500; walk++) {
      beginWithThreeHosts();
      HostReport[] truth = {primary(1), standby(1), standby(1)};
      int newest = 1;
      int heard = 0;
      int used = ShardPrimary.NONE;
      record Answered(int host, HostReport report, long asked) {}
      List<Answered> underWay = new ArrayList<>();
      for (int step = 0; step < 120; step++) {
        now++;
        int host = random.nextInt(3);
        switch (random.nextInt(8)) {
          case 0 -> truth[host] = DOWN;
          case 1 -> truth[host] = standby(newest);
          case 2 -> {
            if (truth[host] instanceof HostReport.HostAnswer answer
                && answer.role() == ServerRole.STANDBY) {
              truth[host] = primary(++newest);
            }
          }
          case 3 -> {
            if (truth[host].equals(DOWN)) {
              truth[host] = primary(1 + random.nextInt(newest));
            }
          }
          default -> underWay.add(new Answered(host, truth[host], now));
        }
        if (underWay.isEmpty() || random.nextBoolean()) {
          continue;
        }
        // Each host is asked one thing at a time; others may answer before.
        Answered next = underWay.remove(0);
        if (next.report() instanceof HostReport.HostAnswer answer) {
          heard = Math.max(heard, answer.timeline());
        }
        List<ShardPrimary.PrimaryEffect> effects =
            take(known.heard(next.host(), next.report(), next.asked(), now));
        for (ShardPrimary.PrimaryEffect effect : effects) {
          if (effect instanceof Stop || effect instanceof Cut) {
            used = effect instanceof Cut ? ShardPrimary.NONE : used;
          } else if (effect instanceof ShardPrimary.PrimaryEffect.UseHost use) {
            assertThat(used)
                .as("the one before has been cut off")
                .isIn(ShardPrimary.NONE, use.host());
            used = use.host();
            assertThat(use.timeline()).isEqualTo(heard);
          }
        }
        assertThat(known.timelines().getOrDefault(SYSTEM, 0)).isEqualTo(heard);
        if (known.primary() != ShardPrimary.NONE) {
          assertThat(known.primary()).isEqualTo(used);
          assertThat(known.state(used)).isEqualTo("primary");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:p1 b:s1 c:s1", "a:- b:p3 c:p2", "a:s2 b:s2 c:p2"})
  void findsThePrimaryInAnyOrder(String reports) {
    List<String> all = Stream.of(reports.split(" ", -1)).toList();
    for (int turn = 0; turn < 3; turn++) {
      beginWithThreeHosts();
      for (int i = 0; i < 6; i++) {
        hears(all.get((turn + i) % 3));
      }
      assertThat(known.primary()).isNotEqualTo(ShardPrimary.NONE);
      assertThat(known.state(known.primary())).isEqualTo("primary");
    }
  }

  @Test
  void hostsAreAddedAndTakenAwayWhileThePrimaryIsUsed() {
    isServedBy("a:s1 b:p1 c:s1 a:s1", 1);
    known = known.withHosts(List.of("d", "b"));
    assertThat(known.primary()).isEqualTo(1);
    assertThat(known.state(0)).isEqualTo("down");
    assertThat(hears("a:s1")).as("the new one is a standby").isEmpty();
    assertThat(known.state(0)).isEqualTo("standby");
    hears("b:-");
    assertThat(known.primary()).isEqualTo(ShardPrimary.NONE);
    hears("a:p2 b:-");
    hears("a:p2");
    assertThat(known.primary()).isZero();
  }

  @Test
  void theOneLeftOfTwoPrimariesIsUsedWhereItAnsweredBefore() {
    hears("a:p1 b:p1 c:s1");
    known = known.withHosts(List.of("a", "c"));
    assertThat(hears("b:s1")).containsExactly(new AskAll());
    assertThat(hears("b:s1"))
        .as("a has not been asked under its new hosts")
        .containsExactly(new ShardPrimary.PrimaryEffect.UseHost(0, place(0), 1));
  }

  @Test
  void thePrimaryCannotBeTakenAway() {
    isServedBy("a:p1 b:s1 c:s1 a:p1", 0);
    assertThatThrownBy(() -> known.withHosts(List.of("b", "c")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("shards: hosts of shard s1 do not name a, its primary; nothing was taken over");
    hears("a:-");
    assertThatThrownBy(() -> known.withHosts(List.of("b", "c")))
        .as("connections to it may be open")
        .isInstanceOf(ConfigException.class);
    hears("b:p2");
    known = known.withHosts(List.of("b", "c"));
    hears("a:p2 b:s2");
    assertThat(known.primary()).isZero();
  }
}
