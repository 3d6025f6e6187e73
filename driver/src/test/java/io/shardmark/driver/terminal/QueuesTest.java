package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.sql.dialect.Dialect;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class QueuesTest {
  private static final long NOT_AT_ALL = 1_000_000;
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final Pacing UNPACED =
      new Pacing(
          new PacingConfig(0, 0, 0, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()),
          Duration.ZERO,
          1);

  private static TerminalSlot slot(int index, int transactions, long dueNanos) {
    TestTransaction transaction = TestTransaction.work(index);
    TerminalSlot slot =
        new TerminalSlot(() -> transaction, UNPACED, new SplittableRandom(1), index, transactions);
    slot.start(dueNanos);
    return slot;
  }

  private static SharedTerminals shared(TerminalSlot... slots) {
    SharedTerminals queue = new SharedTerminals(slots.length);
    List.of(slots).forEach(queue::put);
    return queue;
  }

  @Test
  void sharedTerminalsComeInTheOrderTheyAreDue() throws InterruptedException {
    long now = System.nanoTime();
    TerminalSlot late = slot(0, 9, now - 1);
    TerminalSlot first = slot(1, 9, now - 3);
    TerminalSlot second = slot(2, 9, now - 2);
    SharedTerminals queue = shared(late, first, second);

    assertThat(queue.poll(HOUR)).isSameAs(first);
    assertThat(queue.poll(HOUR)).isSameAs(second);
    queue.put(first);
    assertThat(queue.poll(HOUR)).isSameAs(first);
    assertThat(queue.poll(HOUR)).isSameAs(late);
    assertThat(queue.poll(NOT_AT_ALL)).isNull();
  }

  @Test
  void sharedTerminalsThatAreNotDueDoNotCome() throws InterruptedException {
    SharedTerminals queue = shared(slot(0, 9, System.nanoTime() + HOUR));

    assertThat(queue.poll(NOT_AT_ALL)).isNull();
    assertThat(queue.isFinished()).isFalse();
    queue.retire();
    assertThat(queue.isFinished()).isTrue();
  }

  @Test
  void ownTerminalComesWhenItIsDueAndNotBefore() throws InterruptedException {
    TerminalSlot due = slot(0, 9, System.nanoTime());
    OwnTerminal queue = new OwnTerminal(due);
    assertThat(queue.poll(HOUR)).isSameAs(due);
    assertThat(queue.isFinished()).isFalse();
    queue.retire();
    assertThat(queue.isFinished()).isTrue();

    assertThat(new OwnTerminal(slot(0, 9, System.nanoTime() + HOUR)).poll(NOT_AT_ALL)).isNull();
  }

  @Test
  void aSlotCountsItsTransactionsDown() {
    TerminalSlot slot = slot(0, 3, 0);

    assertThat(slot.advance(1, 2)).isTrue();
    assertThat(slot.dueNanos()).isEqualTo(2);
    assertThat(slot.advance(3, 4)).isTrue();
    assertThat(slot.advance(5, 6)).isFalse();
  }

  /** An answer that took an hour does not move what is due after it. */
  @Test
  void aSlotInAnOpenLoopKeepsItsSchedule() {
    TestTransaction transaction = TestTransaction.work(0);
    Pacing everySecond =
        new Pacing(
            new PacingConfig(0, 0, 0, Duration.ZERO, 60, LimitPacing.SCHEDULE, List.of()),
            Duration.ZERO,
            1);
    TerminalSlot slot =
        new TerminalSlot(() -> transaction, everySecond, new SplittableRandom(1), 0, 9);
    slot.start(5_000_000_000L);

    assertThat(slot.dueNanos()).isEqualTo(5_000_000_000L);
    assertThat(slot.advance(5_000_000_000L, 5_000_000_000L + HOUR)).isTrue();
    assertThat(slot.dueNanos()).isEqualTo(6_000_000_000L);
    assertThat(slot.advance(HOUR, 2 * HOUR)).isTrue();
    assertThat(slot.dueNanos()).isEqualTo(7_000_000_000L);
  }

  @Test
  void deferredWorkIsRunInItsOrderAndOverflowIsCounted() {
    DeliveryQueue queue = new DeliveryQueue();
    for (int index = 0; index < 100_002; index++) {
      queue.offer(TestTransaction.deferred(index), 0);
    }
    assertThat(queue.refused()).isEqualTo(2);
    assertThat(queue.waiting()).isEqualTo(100_000);

    IntervalInForce interval = new IntervalInForce();
    interval.begin(0, MeasurementInterval.openEnded(System.nanoTime()));
    StringBuilder order = new StringBuilder();
    ScriptedSessions sessions =
        new ScriptedSessions(
            transaction -> {
              int terminal = ((TestTransaction) transaction).terminal();
              order.append(terminal).append(' ');
              if (terminal == 2) {
                interval.endNoLaterThan(System.nanoTime());
              }
              return Outcome.COMMITTED;
            });
    KeptSamples samples = new KeptSamples();
    queue.serve(
        new TransactionRunner(
            transaction -> -1, sessions, Dialect.POSTGRES, samples, interval, 0, new long[2]),
        interval,
        new CountDownLatch(1));

    assertThat(order).hasToString("0 1 2 ");
    assertThat(samples.count(1)).isEqualTo(3);
    assertThat(queue.waiting()).isEqualTo(99_997);
  }
}
