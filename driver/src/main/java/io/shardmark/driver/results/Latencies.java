package io.shardmark.driver.results;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Latencies of successes by which transactions, and measured how. What has no samples is absent.
 *
 * @param all of all transactions
 * @param local of those that stayed in one partition
 * @param distributed of those that touched more than one
 * @param errors from due to done, of failed transactions; only of single types
 */
public record Latencies(Kinds all, Kinds local, Kinds distributed, @Nullable Latency errors) {
  public static final Latencies NONE = new Latencies(Kinds.NONE, Kinds.NONE, Kinds.NONE, null);

  public Latencies {
    all = Objects.requireNonNullElse(all, Kinds.NONE);
    local = Objects.requireNonNullElse(local, Kinds.NONE);
    distributed = Objects.requireNonNullElse(distributed, Kinds.NONE);
    errors = Latency.known(errors);
  }

  /**
   * By what is measured; docs/measurement.md explains them.
   *
   * @param due from due to done
   * @param service from sent to done
   * @param queueWait from due until a worker took it up
   * @param connectionWait from there until it had a connection
   */
  public record Kinds(
      @Nullable Latency due,
      @Nullable Latency service,
      @Nullable Latency queueWait,
      @Nullable Latency connectionWait) {
    static final Kinds NONE = new Kinds(null, null, null, null);

    public Kinds {
      due = Latency.known(due);
      service = Latency.known(service);
      queueWait = Latency.known(queueWait);
      connectionWait = Latency.known(connectionWait);
    }
  }

  /** One of them; empty without samples. */
  public Optional<Latency> of(Scope scope, LatencyKind kind) {
    Kinds kinds =
        switch (scope) {
          case ALL -> all;
          case LOCAL -> local;
          case DISTRIBUTED -> distributed;
        };
    return Optional.ofNullable(
        switch (kind) {
          case DUE -> kinds.due();
          case SERVICE -> kinds.service();
          case QUEUE_WAIT -> kinds.queueWait();
          case CONNECTION_WAIT -> kinds.connectionWait();
        });
  }
}
