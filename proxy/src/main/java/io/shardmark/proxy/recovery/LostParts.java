package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts of decided transactions on one shard that sessions have prepared there and cannot commit,
 * since their connections are lost. Commits all of them over one connection, again and again until
 * each is committed or given up. Thread-safe.
 */
final class LostParts {
  private static final Logger LOG = LoggerFactory.getLogger(LostParts.class);

  /** One part; cancelled when its session does not wait any longer. */
  private record LostPart(Gid gid, CompletableFuture<@Nullable Void> committed) {}

  private final ShardAccess shard;
  private final RecoveryOptions options;
  private final ScheduledExecutorService threads;
  private final Consumer<Outcome> finished;

  /** As long as there are any, a run is under way or scheduled. */
  private final List<LostPart> parts = new ArrayList<>();

  LostParts(
      ShardAccess shard,
      RecoveryOptions options,
      ScheduledExecutorService threads,
      Consumer<Outcome> finished) {
    this.shard = shard;
    this.options = options;
    this.threads = threads;
    this.finished = finished;
  }

  /** Completed when the shard shows the rows of the transaction, never exceptionally. */
  CompletableFuture<@Nullable Void> commit(Gid gid) {
    LostPart part = new LostPart(gid, new CompletableFuture<>());
    synchronized (parts) {
      parts.add(part);
      if (parts.size() == 1) {
        threads.execute(this::run);
      }
    }
    return part.committed();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what fails is tried again until it is given up
  private void run() {
    try {
      commitAll();
    } catch (SQLException e) {
      LOG.debug("parts left on shard {}: {}", shard.name(), e.getMessage());
    } catch (Error | RuntimeException e) {
      synchronized (parts) {
        parts.forEach(part -> part.committed().cancel(false)); // or it would fail so for ever
      }
      throw e;
    } finally {
      synchronized (parts) {
        parts.removeIf(part -> part.committed().isDone());
        if (!parts.isEmpty() && !threads.isShutdown()) {
          threads.schedule(this::run, Recovery.ASK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    }
  }

  private void commitAll() throws SQLException {
    try (ShardSession session = ShardSession.open(shard, options.lockLimit())) {
      List<LostPart> due;
      synchronized (parts) {
        due = List.copyOf(parts);
      }
      Map<String, String> owners =
          session.prepared().stream()
              .collect(Collectors.toMap(ShardSession.Prepared::name, ShardSession.Prepared::owner));
      for (LostPart part : due) {
        commit(session, part, owners);
      }
    }
  }

  /** One that is not there any more has been committed: by another recovery, or at first. */
  private void commit(ShardSession session, LostPart part, Map<String, String> owners) {
    if (part.committed().isDone()) {
      return;
    }
    try {
      String owner = owners.getOrDefault(part.gid().textFor(session.name()), "NONE");
      session.finish(part.gid(), Outcome.COMMITTED, owner, finished);
      part.committed().complete(null);
    } catch (SQLException e) {
      // Also 55000 while another backend is at it.
      LOG.debug("{} on shard {}: {}", part.gid(), session.name(), e.getMessage());
    }
  }
}
