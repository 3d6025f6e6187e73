package io.shardmark.proxy.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BackgroundRunnerTest {
  private final BackgroundRunner runner = new BackgroundRunner();
  private final BlockingQueue<Integer> runs = new LinkedBlockingQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  @AfterEach
  void close() {
    runner.close();
  }

  private int nextRun() throws InterruptedException {
    Integer run = runs.poll(Await.LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(run).as("a run within a minute").isNotNull();
    return run;
  }

  private int begun() {
    int run = count.incrementAndGet();
    runs.add(run);
    return run;
  }

  @ParameterizedTest
  @ValueSource(classes = {NullPointerException.class, StackOverflowError.class, Exception.class})
  void runsAgainWhateverARunThrows(Class<? extends Throwable> thrown) throws Exception {
    BackgroundTask task =
        runner.task(
            "frail",
            () -> {
              if (begun() == 1) {
                Throwable failure = thrown.getConstructor(String.class).newInstance("of a test");
                if (failure instanceof Error error) {
                  throw error;
                }
                throw (Exception) failure;
              }
              return BackgroundTask.UNTIL_ASKED;
            });
    task.runSoon();
    assertThat(nextRun()).isEqualTo(1);
    assertThat(nextRun()).isEqualTo(2);
    awaitRuns(task, 2);
    assertThat(task.state().failures()).isEqualTo(1);
    assertThat(task.state().failure()).isEmpty();
    assertThat(runner.problems()).isEmpty();
  }

  private static void awaitRuns(BackgroundTask task, long runs) {
    Await.until(runs + " runs", () -> task.state().runs() >= runs);
  }

  @Test
  void tellsThatATaskFailsAndSinceWhen() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    BackgroundTask task =
        runner.task(
            "recovery",
            () -> {
              if (begun() == 1) {
                throw new IllegalStateException("a row\nthat is none");
              }
              told.await();
              return BackgroundTask.UNTIL_ASKED;
            });
    task.runSoon();
    assertThat(nextRun()).isEqualTo(1);
    assertThat(nextRun()).isEqualTo(2);
    assertThat(task.state().failure())
        .isEqualTo(Optional.of("java.lang.IllegalStateException: a row that is none"));
    assertThat(task.state().sinceSuccess()).isPositive();
    assertThat(runner.problems())
        .singleElement()
        .asString()
        .startsWith(
            "background task recovery has failed: java.lang.IllegalStateException: a row that is"
                + " none; it was first run ")
        .endsWith(" s ago");
    told.countDown();
  }

  @Test
  void aRequestDuringARunIsARunAfterIt() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    BackgroundTask task =
        runner.task(
            "catalog",
            () -> {
              begun();
              asked.await();
              return BackgroundTask.UNTIL_ASKED;
            });
    task.runSoon();
    assertThat(nextRun()).isEqualTo(1);
    for (int request = 0; request < 10; request++) {
      task.runSoon();
    }
    asked.countDown();
    assertThat(nextRun()).isEqualTo(2);
    awaitRuns(task, 2);
    assertThat(runs).as("ten requests are one run").isEmpty();
  }

  @Test
  void anEarlierTimeIsTakenAndALaterOneIsNot() throws Exception {
    BackgroundTask task =
        runner.task(
            "users",
            () -> {
              begun();
              return BackgroundTask.UNTIL_ASKED;
            });
    task.runWithin(Duration.ofHours(1));
    task.runSoon();
    task.runWithin(Duration.ofHours(1));
    assertThat(nextRun()).isEqualTo(1);
  }

  @Test
  void workThatIsHandedOverIsCountedWhenItFailsAndItsThreadLives() throws Exception {
    var threads = runner.threads("work", 1);
    threads.execute(
        () -> {
          throw new IllegalStateException("of a test");
        });
    CountDownLatch next = new CountDownLatch(1);
    threads.execute(next::countDown);
    assertThat(next.await(Await.LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(runner.handedOverFailures()).isEqualTo(1);
  }
}
