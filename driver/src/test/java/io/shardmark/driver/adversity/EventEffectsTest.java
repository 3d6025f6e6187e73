package io.shardmark.driver.adversity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.PlannedEvent;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.results.EventResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventEffectsTest {
  private static final long MILLI = 1_000_000;

  private final List<SecondTally> seconds = new ArrayList<>();

  /** Successes of 2 ms. */
  private void add(int count, int successes) {
    for (int i = 0; i < count; i++) {
      SecondTally tally = new SecondTally();
      add(tally, Disposition.COMMITTED, successes, 2 * MILLI);
      seconds.add(tally);
    }
  }

  private static void add(SecondTally tally, Disposition disposition, int count, long nanos) {
    tally.add(disposition, count);
    LatencyHistogram latencies = new LatencyHistogram();
    for (int i = 0; i < count && !disposition.isError(); i++) {
      latencies.record(nanos);
    }
    tally.add(latencies);
  }

  private static EventRecord event(String label, double from, double to) {
    return new EventRecord(
        new PlannedEvent(Duration.ofSeconds((long) from), label, "true"), from, to, "");
  }

  private List<EventResult> effects(EventRecord... events) {
    return EventEffects.of(List.of(events), new RunSeconds(seconds));
  }

  @Test
  void aGapOfTenSecondsIsADipOfTenSecondsWhereverTheCommandEnds() {
    add(60, 100);
    add(10, 0);
    add(50, 100);
    add(seconds.get(62), Disposition.CONNECTION_LOST, 3, MILLI);
    add(seconds.get(63), Disposition.WRONG_DATA, 1, MILLI);
    add(seconds.get(20), Disposition.DEADLOCK, 7, MILLI);

    EventResult crash = effects(event("crash", 60.4, 64.2)).get(0);

    assertThat(crash.before().seconds()).isEqualTo(30);
    assertThat(crash.before().perSecond()).isEqualTo(100);
    assertThat(crash.before().p99Millis()).isCloseTo(2.0, within(0.04));
    assertThat(crash.during().seconds()).isEqualTo(5);
    assertThat(crash.during().perSecond()).isZero();
    assertThat(crash.during().p99Millis()).isNull();
    assertThat(crash.after().seconds()).isEqualTo(30);
    assertThat(crash.dipPercent()).isEqualTo(100);
    assertThat(crash.dipSeconds()).isEqualTo(10);
    assertThat(crash.backAfterSeconds()).isEqualTo(10);
    assertThat(List.of(crash.failed(), crash.lost(), crash.wrong())).containsExactly(4L, 3L, 1L);
  }

  /** Its command returns at once, the outage goes on. */
  @Test
  void anOutageThatIsOverIsNotTheRateBeforeTheNextEvent() {
    add(60, 100);
    add(40, 0);
    add(60, 100);

    EventResult later = effects(event("crash", 60, 60.2), event("next", 110, 111)).get(1);
    assertThat(later.before().seconds()).isEqualTo(10);
    assertThat(later.before().perSecond()).isEqualTo(100);
  }

  /** Its command returns at once; two more events come before the outage is over. */
  @Test
  void anOutageThatIsNotOverIsNotTheRateBeforeAnyEvent() {
    add(60, 100);
    add(60, 50);
    add(40, 100);

    List<EventResult> all =
        effects(
            event("crash", 60, 60.2),
            event("second", 80, 81),
            event("third", 110, 111),
            event("last", 140, 141));

    assertThat(all).extracting(one -> one.before().seconds()).containsExactly(30L, 0L, 0L, 20L);
    assertThat(all.get(3).before().perSecond()).isEqualTo(100);
    assertThat(all.get(3).dipPercent()).isZero();
  }

  @Test
  void aRateThatIsALittleLowerForGoodIsTheOneBeforeTheNextEvent() {
    add(60, 100);
    add(60, 90);

    List<EventResult> both = effects(event("index", 60, 65), event("next", 100, 101));

    assertThat(both.get(0).backAfterSeconds()).isNull();
    assertThat(both.get(1).before().seconds()).isEqualTo(30);
    assertThat(both.get(1).before().perSecond()).isEqualTo(90);
  }

  @Test
  void whatIsMadeUpForAfterADipDoesNotHideIt() {
    add(26, 100);
    add(3, 110);
    add(1, 250); // one that made up for something too
    add(3, 50); // one shard of two answers nobody
    add(1, 250); // what was due meanwhile
    add(30, 100);

    EventResult freeze = effects(event("freeze", 30, 33)).get(0);

    assertThat(freeze.during().perSecond()).isEqualTo(50);
    assertThat(freeze.dipPercent()).isCloseTo(52.8, within(0.1));
    assertThat(freeze.dipSeconds()).isEqualTo(3);
    assertThat(freeze.backAfterSeconds()).isEqualTo(3);
  }

  @Test
  void aDipMayBeginLongAfterItsEvent() {
    add(30, 200);
    add(20, 200);
    add(6, 50);
    add(30, 200);

    EventResult late = effects(event("late", 30, 31)).get(0);

    assertThat(late.dipPercent()).isEqualTo(75);
    assertThat(late.dipSeconds()).isEqualTo(6);
    assertThat(late.backAfterSeconds()).isEqualTo(26);
  }

  @Test
  void chanceIsNoDip() {
    Random random = new Random(7);
    IntUnaryOperator near = mean -> mean + (int) Math.round(random.nextGaussian() * mean * 0.04);
    IntStream.range(0, 120).forEach(second -> add(1, near.applyAsInt(1000)));

    EventResult nothing = effects(event("nothing", 60, 90)).get(0);

    assertThat(nothing.dipPercent()).isZero();
    assertThat(nothing.dipSeconds()).isZero();
    assertThat(nothing.backAfterSeconds()).isZero();
  }

  @Test
  void aRateThatDoesNotComeBackBeforeTheNextEventIsNotBack() {
    add(30, 100);
    add(20, 40);
    add(40, 100);

    List<EventResult> both = effects(event("first", 30, 32), event("second", 50, 51));

    assertThat(both.get(0).backAfterSeconds()).isNull();
    assertThat(both.get(0).dipSeconds()).isEqualTo(20);
    assertThat(both.get(0).dipPercent()).isEqualTo(60);
    assertThat(both.get(0).after().seconds()).isEqualTo(18);
    // The first is not over: there is nothing that the second can be compared with.
    assertThat(both.get(1).before().seconds()).isZero();
    assertThat(both.get(1).dipPercent()).isNull();
    assertThat(both.get(1).dipSeconds()).isNull();
    assertThat(both.get(1).backAfterSeconds()).isNull();
    assertThat(both.get(1).during().perSecond()).isEqualTo(100);
  }

  @Test
  void anEventAtTheVeryBeginningHasNothingToBeComparedWith() {
    add(10, 100);

    EventResult first = effects(event("first", 0, 2)).get(0);

    assertThat(first.before().seconds()).isZero();
    assertThat(first.dipPercent()).isNull();
    assertThat(first.backAfterSeconds()).isNull();
    assertThat(first.during().perSecond()).isEqualTo(100);
  }

  @Test
  void anEventAfterTheLastWholeSecondHasNoFigures() {
    add(10, 100);

    EventResult last = effects(event("last", 10.5, 12)).get(0);

    assertThat(last.during().seconds()).isZero();
    assertThat(last.after().seconds()).isZero();
    assertThat(last.before().seconds()).isEqualTo(10);
  }

  @Test
  void windowsFitWhateverTheEvents() {
    Random random = new Random(11);
    for (int round = 0; round < 2000; round++) {
      seconds.clear();
      int length = random.nextInt(50);
      IntStream.range(0, length).forEach(second -> add(1, random.nextInt(5)));
      List<EventRecord> events = new ArrayList<>();
      double at = 0;
      for (int i = random.nextInt(5); i > 0; i--) {
        at += random.nextDouble() * 15;
        events.add(event("e" + i, at, at + random.nextDouble() * 20));
      }
      for (EventResult result : EventEffects.of(events, new RunSeconds(seconds))) {
        assertThat(result.before().seconds() + result.during().seconds() + result.after().seconds())
            .isLessThanOrEqualTo(length);
        if (result.dipPercent() != null) {
          assertThat(result.dipSeconds()).isBetween(0.0, (double) length);
          assertThat(result.dipPercent()).isBetween(0.0, 100.0);
        }
        if (result.backAfterSeconds() != null && result.dipSeconds() != null) {
          assertThat(result.backAfterSeconds()).isGreaterThanOrEqualTo(result.dipSeconds());
        }
      }
    }
  }

  @Test
  void percentilesAreThoseOfTheLatenciesToTwoPercent() {
    Random random = new Random(3);
    SecondTally tally = new SecondTally();
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      long nanos = (long) Math.exp(10 + 12 * random.nextDouble());
      all.add(nanos);
      add(tally, Disposition.COMMITTED, 1, nanos);
    }
    all.sort(null);
    double exact = all.get(9899) / 1e6;
    assertThat(tally.p99Millis()).isBetween(exact * 0.99, exact * 1.02);
  }
}
