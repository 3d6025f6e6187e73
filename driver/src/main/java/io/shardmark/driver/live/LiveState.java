package io.shardmark.driver.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.judge.DriverJudge;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Latency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the last second of a run left. Immutable.
 *
 * @param measured sums since the measurement interval began; in the ramp-up, since that began
 * @param shards in their order; none if there is one server
 */
public record LiveState(
    MeasuredSecond measured,
    List<TypeState> types,
    List<ShardState> shards,
    ConnectionState connections,
    ClientState client) {

  static final LiveState NONE =
      new LiveState(
          new MeasuredSecond(0, SuccessCounts.NONE, 0, 0, 0),
          List.of(),
          List.of(),
          new ConnectionState(0, 0, 0, 0),
          new ClientState(0, 1, 0, 0));

  /**
   * @param transactions successes of counted types
   */
  public record MeasuredSecond(
      long seconds, SuccessCounts counts, long transactions, long errors, long retries) {}

  /**
   * One type of transaction.
   *
   * @param count successes since the measurement interval began
   * @param perMinute successes, from those of the last 5 s
   * @param errors and {@code retries}: since the interval began
   * @param distributedShare 0 .. 1 of the successes since the terminals started
   * @param recentMillis due-time latencies of the last 5 to 10 s
   * @param totalMillis the same since the interval began
   */
  public record TypeState(
      String name,
      long count,
      double perMinute,
      long errors,
      long retries,
      double distributedShare,
      LiveLatencies recentMillis,
      LiveLatencies totalMillis) {}

  /** Latencies in milliseconds; without samples there is no more than their count. */
  public record LiveLatencies(
      long count,
      @Nullable Double mean,
      @Nullable Double p50,
      @Nullable Double p90,
      @Nullable Double p95,
      @Nullable Double p99,
      @Nullable Double max) {
    static LiveLatencies of(Latency figures) {
      return figures.count() == 0
          ? new LiveLatencies(0, null, null, null, null, null, null)
          : new LiveLatencies(
              figures.count(),
              figures.mean(),
              figures.p50(),
              figures.p90(),
              figures.p95(),
              figures.p99(),
              figures.max());
    }
  }

  /** A class of errors, as {@link io.shardmark.driver.results.ErrorResult} has them. */
  public record ErrorState(
      String type,
      String disposition,
      String sqlState,
      long count,
      long retried,
      long outside,
      String example) {}

  /**
   * The pool.
   *
   * @param waitedFor how many wait for one
   * @param waitMillis mean wait for a connection in the last second; NaN if nobody got one
   */
  public record ConnectionState(int inUse, int idle, int waitedFor, double waitMillis) {}

  /**
   * Successes at home in one shard.
   *
   * @param perMinute from those of the last 5 s
   * @param share 0 .. 1 of those of all shards since the terminals started
   */
  public record ShardState(String name, double perMinute, double share) {}

  /**
   * What this process uses.
   *
   * @param cores processors kept busy, on average over the last second
   * @param coresAvailable to this process
   * @param gcShare 0 .. 1 of that second: garbage collections that stopped the program
   * @param heapUsedBytes at this moment, garbage included
   */
  public record ClientState(double cores, int coresAvailable, double gcShare, long heapUsedBytes) {
    /** Why the driver may hold the run back, by the limits of the verdict; empty if it does not. */
    @JsonProperty
    public String limited() {
      return String.join(", ", DriverJudge.limits(Client.of(cores, coresAvailable, gcShare)));
    }
  }

  public LiveState {
    types = List.copyOf(types);
    shards = List.copyOf(shards);
  }
}
