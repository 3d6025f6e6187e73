package io.shardmark.driver.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.driver.servers.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole groups in one process, over real sockets. Its drivers have one and the same clock. */
final class DriverGroupTest {
  private static final int DRIVERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long HANG_SECONDS = 240;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<DriverGroup> open = new ArrayList<>();
  private final Queue<String> infos = new ConcurrentLinkedQueue<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private int port;

  @TempDir private Path directory;

  @BeforeEach
  void findPort() throws IOException {
    port = FreePort.find();
  }

  @AfterEach
  void end() {
    open.forEach(DriverGroup::close);
    threads.shutdownNow();
  }

  private DriversConfig config(int index, Duration patience) {
    return new DriversConfig(DRIVERS, index, "127.0.0.1", port, patience);
  }

  private static DriverIdentity identity(int index, Map<String, String> settings) {
    return new DriverIdentity(
        index,
        "Shardmark test",
        new DriverIdentity.Share(2 * index + 1, 2 * index + 2, 10 * index, 10, 10),
        settings);
  }

  private Future<DriverGroup> join(int index) {
    return join(index, Map.of("retries", "0"), PATIENCE);
  }

  private Future<DriverGroup> join(int index, Map<String, String> settings, Duration patience) {
    return threads.submit(
        () -> {
          DriverGroup group =
              DriverGroup.join(
                  config(index, patience),
                  identity(index, settings),
                  new DriverGroup.Proposal(2 * DRIVERS, 40 + index, index == 0, 70 + index),
                  new DriverGroup.Voice(infos::add, errors::add));
          synchronized (open) {
            open.add(group);
          }
          return group;
        });
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  private List<DriverGroup> joinAll() throws Exception {
    List<Future<DriverGroup>> joining = List.of(join(2), join(0), join(1));
    Map<Integer, DriverGroup> groups = new HashMap<>();
    for (Future<DriverGroup> group : joining) {
      groups.put(get(group).config().index(), get(group));
    }
    return List.of(groups.get(0), groups.get(1), groups.get(2));
  }

  private <T> List<T> inAll(
      List<DriverGroup> groups, java.util.function.Function<DriverGroup, Callable<T>> work)
      throws Exception {
    List<Future<T>> futures = groups.stream().map(g -> threads.submit(work.apply(g))).toList();
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(get(future));
    }
    return results;
  }

  private List<StartInstant> start(List<DriverGroup> groups) throws Exception {
    groups.get(0).receiveInto(directory);
    return inAll(
        groups,
        group ->
            () -> {
              StartInstant instant = group.awaitStart();
              group.awaitInstant(instant);
              return instant;
            });
  }

  private static void assertFails(Future<?> future, String line) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(line)
        .hasMessageNotContaining("\n");
  }

  @Test
  void agreeOnTermsAndStartAtOneInstant() throws Exception {
    List<DriverGroup> groups = joinAll();

    assertThat(groups.get(0).terms().seed()).isEqualTo(40);
    assertThat(groups.get(0).terms().run()).isEqualTo(70);
    assertThat(groups).extracting(DriverGroup::terms).containsOnly(groups.get(0).terms());

    List<StartInstant> starts = start(groups);
    long first = starts.get(0).nanos();
    for (StartInstant start : starts) {
      // All clocks are the same one here, so that the measured offsets are all error.
      assertThat(Math.abs(start.nanos() - first))
          .isLessThanOrEqualTo(start.uncertaintyNanos() + starts.get(0).uncertaintyNanos());
    }
    assertThat(infos).anyMatch(line -> line.startsWith("All 3 drivers are ready"));
    assertThat(errors).isEmpty();
  }

  @Test
  void oneThatIsToldToEndEndsAllAtOneInstant() throws Exception {
    List<DriverGroup> groups = joinAll();
    List<StartInstant> starts = start(groups);
    List<CompletableFuture<Long>> ends = new ArrayList<>();
    for (DriverGroup group : groups) {
      CompletableFuture<Long> end = new CompletableFuture<>();
      group.onStop(end::complete);
      ends.add(end);
    }

    groups.get(2).requestStop("was told to end");

    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < DRIVERS; i++) {
      lengths.add(get(ends.get(i)) - starts.get(i).nanos());
      assertThat(groups.get(i).isStopped()).isTrue();
    }
    // To the nanosecond, whatever the clocks: otherwise the parts could not be merged.
    assertThat(lengths).containsOnly(lengths.get(0));
  }

  @Test
  void filesComeToDriverZero() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);
    byte[] rows = new byte[3_000_000];
    new Random(1).nextBytes(rows);
    Path kept = Files.createDirectories(directory.resolve("kept"));
    Files.createDirectory(kept.resolve("data"));
    Files.write(kept.resolve("data/result.csv"), rows);
    Files.writeString(kept.resolve("data/errors.csv"), "");
    Files.writeString(kept.resolve("summary.json"), "{}");
    Files.writeString(kept.resolve("report.html"), "not this");

    Future<Collected> collecting = threads.submit(() -> groups.get(0).collect());
    assertThat(get(threads.submit(() -> groups.get(1).bring(kept)))).isEmpty();
    assertThat(get(threads.submit(() -> groups.get(2).bring(kept)))).isEmpty();
    Collected collected = get(collecting);

    assertThat(collected.lost()).isEmpty();
    assertThat(collected.parts()).extracting(Collected.Part::index).containsExactly(1, 2);
    Path part = collected.parts().get(1).directory();
    assertThat(part).isEqualTo(directory.resolve("2"));
    assertThat(Files.readAllBytes(part.resolve("data/result.csv"))).isEqualTo(rows);
    assertThat(part.resolve("data/errors.csv")).isEmptyFile();
    assertThat(part.resolve("summary.json")).hasContent("{}");
    assertThat(part.resolve("report.html")).doesNotExist();
  }

  @Test
  void unlikeSettingsEndAllWithTheSameLine() throws Exception {
    Future<DriverGroup> first = join(0);
    Future<DriverGroup> second = join(1);
    Future<DriverGroup> unlike = join(2, Map.of("retries", "5"), PATIENCE);

    String line = "has retries=5, expected 0 as driver 0 has it";
    assertFails(unlike, line);
    assertFails(first, line);
    assertFails(second, line);
  }

  @Test
  void oneThatDoesNotComeEndsAll() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    Future<DriverGroup> first = join(0, Map.of(), patience);
    Future<DriverGroup> second = join(1, Map.of(), PATIENCE);
    // On a machine that is busy with other things the second may come too late as well.
    while (failure(first).contains("driver 1, driver 2") && patience.toSeconds() < 60) {
      assertFails(second, "");
      patience = patience.multipliedBy(2);
      first = join(0, Map.of(), patience);
      second = join(1, Map.of(), PATIENCE);
    }

    String line = "driver 2 did not join within %d s (driverWaitSecs)";
    assertFails(first, line.formatted(patience.toSeconds()));
    assertFails(second, line.formatted(patience.toSeconds()));
  }

  private static String failure(Future<?> future) throws Exception {
    try {
      get(future);
      return "";
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }

  @Test
  void withoutDriverZeroTheOthersGiveUp() {
    assertFails(
        join(1, Map.of(), Duration.ofSeconds(1)),
        "driverCoordinator=127.0.0.1:" + port + ": driver 0 is not there after 1 s");
  }

  @Test
  void saysWhyItCannotListen() throws Exception {
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertFails(join(0), "driver 0 cannot listen there");
    }
  }

  @Test
  void oneLostBeforeTheStartEndsAll() throws Exception {
    List<DriverGroup> groups = joinAll();
    Future<StartInstant> first = threads.submit(() -> groups.get(0).awaitStart());
    Future<StartInstant> second = threads.submit(() -> groups.get(1).awaitStart());

    groups.get(2).close();

    assertFails(first, "was lost before the start");
    assertFails(second, "driver 2 (127.0.0.1:");
  }

  @Test
  void oneThatRefusesTellsAllWhy() throws Exception {
    List<DriverGroup> groups = joinAll();
    Future<StartInstant> first = threads.submit(() -> groups.get(0).awaitStart());
    Future<StartInstant> second = threads.submit(() -> groups.get(1).awaitStart());

    groups.get(2).refuse("the database is not ready");

    assertFails(first, "): the database is not ready");
    assertFails(second, "): the database is not ready");
  }

  @Test
  void oneLostDuringTheRunIsToldAndTheOthersGoOn() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);
    Path kept = Files.createDirectories(directory.resolve("kept"));
    Files.createDirectory(kept.resolve("data"));
    Files.writeString(kept.resolve("summary.json"), "{}");

    groups.get(2).close();
    Future<Collected> collecting = threads.submit(() -> groups.get(0).collect());
    assertThat(get(threads.submit(() -> groups.get(1).bring(kept)))).isEmpty();
    Collected collected = get(collecting);

    assertThat(collected.parts()).extracting(Collected.Part::index).containsExactly(1);
    assertThat(collected.lost()).hasSize(1);
    assertThat(collected.lost().get(0).index()).isEqualTo(2);
    assertThat(collected.lost().get(0).share().warehouseFrom()).isEqualTo(5);
    // With a ping on its way to the one who closes, TCP resets what would otherwise just end.
    assertThat(collected.lost().get(0).reason()).startsWith("the connection ");
    assertThat(errors).anyMatch(line -> line.contains("The others go on"));
  }

  @Test
  void withoutDriverZeroTheOthersKeepTheirResults() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);
    Files.createDirectories(directory.resolve("kept/data"));

    groups.get(0).close();

    String failure = get(threads.submit(() -> groups.get(1).bring(directory.resolve("kept"))));
    assertThat(failure).contains("driver 0 (127.0.0.1:" + port + ") was lost");
  }

  @Test
  void strangersHarmNothing() throws Exception {
    Future<DriverGroup> first = join(0);
    Future<DriverGroup> second = join(1);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      silent.add(connect()); // says nothing, and stays
      byte[] noise = new byte[random.nextInt(5000)];
      random.nextBytes(noise);
      sendTo(noise);
    }
    sendTo(
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    // As a driver begins, and then a message that is too long.
    sendTo(
        new byte[] {
          'S', 'H', 'M', 'K', 'D', 'R', 'V', 'R', 0, 0, 0, 1, 1, 0x7f, (byte) 0xff, 0, 0
        });
    Future<DriverGroup> third = join(2);

    assertThat(get(first).terms()).as("seed %d", seed).isEqualTo(get(third).terms());
    assertThat(get(second).terms()).isEqualTo(get(third).terms());
    assertThat(start(List.of(get(first), get(second), get(third)))).hasSize(DRIVERS);
    for (Socket socket : silent) {
      socket.close();
    }
  }

  private Socket connect() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(10); // driver 0 is about to listen, and tells nobody
      }
    }
  }

  private void sendTo(byte[] bytes) throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      // Whatever it answers, it closes.
      assertThat(socket.getInputStream().readAllBytes().length).isLessThan(4000);
    } catch (IOException e) {
      assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe", "closed");
    }
  }

  @Test
  void aDriverThatComesTooLateIsTurnedAway() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);

    assertFails(join(1), "comes too late");
    assertThat(errors).isEmpty();
  }
}
