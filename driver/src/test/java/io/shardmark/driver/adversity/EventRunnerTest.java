package io.shardmark.driver.adversity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PlannedEvent;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.results.EventResult;
import io.shardmark.sql.embedded.EmbeddedPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventRunnerTest {
  @TempDir private Path directory;
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
  private final IntervalInForce interval = new IntervalInForce();

  @BeforeEach
  void begin() {
    long now = System.nanoTime();
    interval.begin(now, new MeasurementInterval(now, now + TimeUnit.HOURS.toNanos(1)));
  }

  private EmbeddedPart part(String name) {
    return new EmbeddedPart(
        name,
        () -> done.add("kill " + name),
        () -> done.add("restart " + name),
        () -> done.add("pause " + name),
        () -> done.add("resume " + name),
        name.startsWith("shard")
            ? Optional.of(() -> done.add("backup " + name))
            : Optional.empty());
  }

  private EventTarget target() {
    return new EventTarget(
        () -> {
          throw new SQLException("FATAL: too many clients\nDetail: none");
        },
        List.of(part("shard s1"), part("shard s2"), part("the proxy on port 5")),
        Optional.of(directory.resolve("events.log")));
  }

  private static long minute() {
    return TimeUnit.MINUTES.toNanos(1);
  }

  private static PlannedEvent event(String label, String command) {
    return new PlannedEvent(Duration.ZERO, label, command);
  }

  private EventRunner started(PlannedEvent... events) {
    EventRunner runner = new EventRunner(List.of(events), target(), interval, notes::add);
    runner.start();
    return runner;
  }

  private static List<EventResult> results(EventRunner runner) {
    return runner.results(new SecondTallies(SampleSink.NONE), 0);
  }

  private String next() throws InterruptedException {
    return String.valueOf(done.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void aPartSuffersForItsTime() throws InterruptedException {
    EventRunner runner =
        started(event("crash", "@kill s2 for 0s"), event("freeze", "@stop proxy for 0s"));
    assertThat(List.of(next(), next(), next(), next()))
        .containsExactlyInAnyOrder(
            "kill shard s2",
            "restart shard s2",
            "pause the proxy on port 5",
            "resume the proxy on port 5");
    runner.end(EventRunnerTest::minute);
    assertThat(results(runner))
        .extracting(EventResult::label)
        .containsExactlyInAnyOrder("crash", "freeze");
  }

  /** What it did to the run is there, however it ends. */
  @Test
  void anEventThatDoesNotEndOrEndsInAnErrorIsThereToo() throws Exception {
    EventRunner endless = started(event("crash", "@kill for 9999s"));
    assertThat(next()).startsWith("kill shard");
    assertThat(results(endless).get(0).outcome()).isEqualTo("did not end though it was stopped");
    endless.end(EventRunnerTest::minute);

    EmbeddedPart part =
        new EmbeddedPart(
            "shard s1",
            () -> {
              throw new OutOfMemoryError("no thread");
            },
            () -> done.add("restart"),
            () -> done.add("pause"),
            () -> done.add("resume"),
            Optional.empty());
    EventTarget broken = new EventTarget(target().connections(), List.of(part), Optional.empty());
    EventRunner failing =
        new EventRunner(List.of(event("crash", "@kill for 0s")), broken, interval, notes::add);
    notes.clear();
    failing.start();
    assertThat(notes.poll(30, TimeUnit.SECONDS)).contains("no thread");
    failing.end(EventRunnerTest::minute);
    assertThat(results(failing).get(0).outcome()).contains("no thread");
  }

  @Test
  void whatGoesOnWhenTheRunEndsIsUndone() throws InterruptedException {
    EventRunner runner = started(event("crash", "@kill for 9999s"));
    assertThat(next()).isEqualTo("kill shard s1");
    runner.end(EventRunnerTest::minute);
    assertThat(next()).isEqualTo("restart shard s1");
    assertThat(results(runner).get(0).outcome())
        .isEqualTo("did not end before the run did; stopped");
  }

  @Test
  void aCommandThatNeverEndsIsStopped() throws Exception {
    Path begun = directory.resolve("begun");
    EventRunner runner = started(event("endless", "echo said; mkfifo " + begun + "; cat " + begun));
    Path log = directory.resolve("events.log");
    while (!Files.exists(begun) || !Files.readString(log).equals("said\n")) {
      Thread.onSpinWait();
    }
    runner.end(EventRunnerTest::minute);
    assertThat(results(runner).get(0).outcome())
        .isEqualTo("did not end before the run did; stopped");
    assertThat(notes).containsExactly("event 'endless': did not end before the run did; stopped");
  }

  /** Starts a command, waits until it has printed that it is ready, and ends it with the run. */
  private String loggedUntilTheEnd(String command, LongSupplier leftNanos) throws Exception {
    EventRunner runner = started(event("slow link", command));
    Path log = directory.resolve("events.log");
    while (!Files.exists(log) || !Files.readString(log).contains("ready\n")) {
      Thread.onSpinWait();
    }
    runner.end(leftNanos);
    assertThat(results(runner).get(0).outcome())
        .isEqualTo("did not end before the run did; stopped");
    return Files.readString(log);
  }

  /** In a session of its own, which no Ctrl-C reaches. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "trap 'sleep 0.1; echo restored; exit' TERM; cut -d' ' -f5 /proc/$$/stat | sed s/$$/own/;"
            + " echo ready; sleep 9999 & wait",
        "sh -c \"trap 'sleep 0.1; echo restored; exit' TERM; echo own; echo ready; sleep 9999\"; true",
      })
  void aCommandThatIsStoppedPutsBackWhatItChanged(String command) throws Exception {
    assertThat(loggedUntilTheEnd(command, EventRunnerTest::minute))
        .contains("own\nready\n")
        .endsWith("restored\n");
  }

  /** Also what a process started that has ended since: the first with SIGTERM, the other not. */
  @ParameterizedTest
  @CsvSource({"true, 60", "trap '' TERM, 0"})
  void nothingOfACommandThatIsStoppedGoesOn(String first, long leftSeconds) throws Exception {
    String log =
        loggedUntilTheEnd(
            first + "; echo $$; (sleep 9999 & echo $!); echo ready; sleep 9999; sleep 9999",
            () -> TimeUnit.SECONDS.toNanos(leftSeconds));
    assertThat(log.lines().limit(2).map(Long::parseLong))
        .hasSize(2)
        .allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty());
  }

  /** It may have started a server again. */
  @Test
  void whatACommandLeftWhenItEndedGoesOn() throws Exception {
    EventRunner runner = started(event("restart", "sleep 9999 & echo $!; exit 3"));
    assertThat(notes.poll(30, TimeUnit.SECONDS)).contains("ended with status 3");
    runner.end(EventRunnerTest::minute);
    String pid = Files.readString(directory.resolve("events.log")).strip();
    assertThat(ProcessHandle.of(Long.parseLong(pid))).map(ProcessHandle::destroy).contains(true);
  }

  /** After Ctrl-C there is little time, and the figures have to be written in it. */
  @Test
  void theRunDoesNotWaitForAServerLongerThanItHas() throws InterruptedException {
    CountDownLatch recovered = new CountDownLatch(1);
    EmbeddedPart slow =
        new EmbeddedPart(
            "shard s1",
            () -> done.add("kill"),
            () -> {
              try {
                recovered.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            () -> {},
            () -> {},
            Optional.empty());
    EventRunner runner =
        new EventRunner(
            List.of(event("crash", "@kill for 0s")),
            new EventTarget(target().connections(), List.of(slow), Optional.empty()),
            interval,
            notes::add);
    runner.start();
    assertThat(next()).isEqualTo("kill");
    runner.end(() -> 0);
    assertThat(results(runner).get(0).outcome()).isEqualTo("did not end though it was stopped");
    assertThat(notes).containsExactly("event crash: did not end with the run");
    runner.end(EventRunnerTest::minute);
    recovered.countDown();
  }

  @Test
  void aFailureIsALineAndTheNextEventComes() throws InterruptedException {
    started(
        event("fails", "exit 3"),
        event("sql", "@sql SELECT 1"),
        event("storm", "@sessions 3 for 1s"),
        event("backup", "@backup s2"));
    List<String> seen = new ArrayList<>(List.of(next()));
    while (seen.size() < 4) {
      seen.add(String.valueOf(notes.poll(30, TimeUnit.SECONDS)));
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "backup shard s2",
            "event 'fails': ended with status 3",
            "event 'sql': FATAL: too many clients",
            "event 'storm': 3 of 3 sessions were refused: FATAL: too many clients");
  }

  @Test
  void anEventAfterTheEndNeverBegins() throws InterruptedException {
    PlannedEvent late = new PlannedEvent(Duration.ofMinutes(30), "late", "@kill for 1s");
    EventRunner runner = started(late);
    runner.end(EventRunnerTest::minute);
    assertThat(results(runner)).isEmpty();
    assertThat(done).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@kil for 3s|expected one of @kill [PART] for 10s, @stop [PART] for 10s, @backup [PART]",
        "@kill s3 for 3s|expected one of these names: shard s1, shard s2, the proxy on port 5",
        "@backup proxy|expected the name of a server: shard s1, shard s2, the proxy on port 5",
        "@kill|expected one of @kill [PART] for 10s",
        "@sessions 0 for 3s|expected one of @kill",
      })
  void whatIsNotThereIsRefused(String command, String message) {
    assertThatThrownBy(
            () -> new EventRunner(List.of(event("e", command)), target(), interval, notes::add))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("events='" + command + "': " + message);
  }

  @Test
  void onlyEmbeddedDatabasesHaveParts() {
    EventTarget other =
        new EventTarget(
            () -> {
              throw new SQLException("no");
            },
            List.of(),
            Optional.empty());
    assertThatThrownBy(
            () -> new EventRunner(List.of(event("e", "@kill for 3s")), other, interval, notes::add))
        .hasMessageContaining("conn=embedded:... with it, or a command of your own");
  }
}
