package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Servers end while their clients read slowly, so that the proxy has stopped reading from them.
 * Each client gets all of its answer, or hears that its server has ended. For longer: {@code
 * -Dended.seconds=600}.
 */
final class EndedServersTest {
  private static final int SECONDS = Integer.getInteger("ended.seconds", 4);
  private static final int CLIENTS = 12;

  /** Ends one whose client reads too slowly, if there is one. */
  private static final String END_ONE =
      """
      select pg_terminate_backend(pid) from (
        select pid from pg_stat_activity
        where datname = current_database() and wait_event = 'ClientWrite'
          and pid <> pg_backend_pid()
        order by random() limit 1) one
      """;

  @Test
  void nobodyWaitsForAServerThatHasEnded() throws Exception {
    long seed = new Random().nextLong();
    long until = System.nanoTime() + SECONDS * 1_000_000_000L;
    AtomicBoolean over = new AtomicBoolean();
    try (RunningProxy proxy = RunningProxy.start(1, "pool_size: " + CLIENTS);
        Connection direct = proxy.shard(0);
        Statement statement = direct.createStatement()) {
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        List<Future<?>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          Random random = new Random(seed + i);
          clients.add(
              threads.submit(
                  () -> {
                    askAndRead(proxy, random, over);
                    return null;
                  }));
        }
        int ended = 0;
        while ((ended == 0 || System.nanoTime() < until)
            && clients.stream().noneMatch(Future::isDone)) {
          try (ResultSet one = statement.executeQuery(END_ONE)) {
            ended += one.next() ? 1 : 0;
          }
          statement.execute("select pg_sleep(0.3)");
        }
        over.set(true);
        for (Future<?> client : clients) {
          assertThat(client).as("seed %d", seed).succeedsWithin(Duration.ofMinutes(5));
        }
        assertThat(ended).isPositive();
      } finally {
        threads.shutdownNow();
      }
    }
  }

  /** Until the time is over; a read that waits for a minute throws. */
  private static void askAndRead(RunningProxy proxy, Random random, AtomicBoolean over)
      throws IOException {
    while (!over.get()) {
      try (WireClient client =
          WireClient.openSlow(proxy.port(), 4096 << random.nextInt(7))
              .startup(ProtocolVersion.V3_0, Map.of())) {
        boolean open = true;
        while (open && !over.get()) {
          int chars = 20 << random.nextInt(9);
          client.sendQuery(
              "select repeat('x', %d) from generate_series(1, %d)"
                  .formatted(chars, 10_000_000 / chars));
          open = isAnswered(client, random);
        }
      }
    }
  }

  /** Reads to the end of an answer, whole or cut short by an error, with rests in between. */
  private static boolean isAnswered(WireClient client, Random random) throws IOException {
    while (true) {
      Optional<WireClient.Message> message = client.next();
      if (message.isEmpty()) {
        return false;
      }
      if (message.get().type() == 'Z') {
        return true;
      }
      if (random.nextInt(200) == 0) {
        LockSupport.parkNanos(random.nextLong(20_000_000)); // what makes it slow
      }
    }
  }
}
