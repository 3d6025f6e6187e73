package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitors of all shards, asked at once, so that a shard that is silent does not keep the
 * others from being looked at. Belongs to one thread at a time; asks on threads of its own.
 */
final class ShardMonitors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMonitors.class);

  private final Duration patience;
  private final List<Place> places = new ArrayList<>();
  private final Executor threads;

  /** One shard, and how it stands with it. */
  private static final class Place {
    private final ShardMonitor monitor;

    /** What it was asked last; as long as that is not done the monitor is not touched. */
    private @Nullable Future<?> asked;

    /** Why its last answer was none, "" if it was one: then it is waited for. */
    private String trouble = "";

    Place(ShardMonitor monitor) {
      this.monitor = monitor;
    }

    boolean isFree() {
      Future<?> last = asked;
      return last == null || last.isDone();
    }
  }

  /**
   * @param shards in the order of their indexes
   * @param patience how long a shard that has answered the last time may take
   */
  ShardMonitors(List<ShardAccess> shards, Duration patience, BackgroundRunner runner) {
    this.patience = patience;
    this.threads = runner.threads("deadlock-shard", Math.max(1, shards.size()));
    for (int shard = 0; shard < shards.size(); shard++) {
      places.add(new Place(new ShardMonitor(shard, shards.get(shard))));
    }
  }

  String shardName(int shard) {
    return places.get(shard).monitor.shardName();
  }

  interface Question<T> {
    T ask(ShardMonitor monitor) throws SQLException;
  }

  /**
   * @param byShard by the shard's index
   * @param unreachable why there is no answer, by the shard's name
   */
  record Answers<T>(Map<Integer, T> byShard, Map<String, String> unreachable) {}

  /** Asks all shards; blocks as long as patience lasts. */
  <T> Answers<T> askAll(Question<T> question) {
    Map<Integer, Question<T>> questions = new HashMap<>();
    for (int shard = 0; shard < places.size(); shard++) {
      questions.put(shard, question);
    }
    return ask(questions);
  }

  /** Asks each of these shards its question; blocks as long as patience lasts. */
  <T> Answers<T> ask(Map<Integer, Question<T>> questions) {
    Map<Integer, Future<T>> asked = new TreeMap<>();
    questions.forEach(
        (shard, question) -> {
          Place place = places.get(shard);
          if (place.isFree()) {
            settle(place);
            Future<T> answer = ask(question, place.monitor);
            place.asked = answer;
            asked.put(shard, answer);
          }
        });
    long deadline = System.nanoTime() + patience.toNanos();
    Map<Integer, T> answers = new TreeMap<>();
    asked.forEach(
        (shard, answer) -> {
          Place place = places.get(shard);
          long limit = place.trouble.isEmpty() ? deadline - System.nanoTime() : 0;
          outcome(place, answer, limit).ifPresent(value -> answers.put(shard, value));
        });
    Map<String, String> unreachable = new HashMap<>();
    for (int shard : questions.keySet()) {
      if (!answers.containsKey(shard)) {
        Place place = places.get(shard);
        unreachable.put(place.monitor.shardName(), place.trouble);
      }
    }
    return new Answers<>(answers, unreachable);
  }

  private <T> Future<T> ask(Question<T> question, ShardMonitor monitor) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            answer.complete(question.ask(monitor));
          } catch (Error | RuntimeException | SQLException e) {
            answer.completeExceptionally(e); // whoever asked reports it
          }
        });
    return answer;
  }

  /** Learns how it ended what was not waited for. */
  private static void settle(Place place) {
    Future<?> last = place.asked;
    if (last != null && !place.trouble.isEmpty()) {
      outcome(place, last, 0);
    }
  }

  private static <T> Optional<T> outcome(Place place, Future<T> answer, long nanos) {
    try {
      T value = answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      place.trouble = "";
      return Optional.of(value);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof SQLException)) {
        throw new IllegalStateException(e.getCause());
      }
      // A shard that is away has no waits either; recovery and health checks report it.
      place.trouble = String.valueOf(e.getCause().getMessage());
    } catch (TimeoutException e) {
      if (place.trouble.isEmpty()) {
        place.trouble = "it does not answer";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      place.trouble = "interrupted";
    }
    LOG.debug("shard {}: {}", place.monitor.shardName(), place.trouble);
    return Optional.empty();
  }

  @Override
  public void close() {
    for (Place place : places) {
      place.monitor.abort();
    }
  }
}
