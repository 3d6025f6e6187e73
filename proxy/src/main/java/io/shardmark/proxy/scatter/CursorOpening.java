package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the portals of a merged result on all its shards, or the portal of a computed one on the
 * server that computes it.
 */
final class CursorOpening implements Step {
  private final OpenCursors cursors;
  private final Execution execution;
  private final ScatterStrategy strategy;
  private final List<ShardRequest> requests;
  private final @Nullable GatheredRows gathered;
  private @Nullable ScatterCursor cursor;

  /**
   * @param sql of the query
   */
  CursorOpening(
      Execution execution,
      OpenCursors cursors,
      String sql,
      Route.Several route,
      Arguments arguments) {
    this.cursors = cursors;
    this.execution = execution;
    this.strategy = route.strategy();
    this.requests = ShardRequest.all(execution, route, arguments);
    this.gathered =
        strategy instanceof ScatterStrategy.Finish
            ? new GatheredRows(execution, sql, route, arguments)
            : null;
  }

  @Override
  public boolean advance() {
    ScatterCursor made = cursor;
    if (made != null) {
      return made.isAnswered();
    }
    // Portals live in a transaction only; this one ends with the client's Sync.
    if (!execution.participants().inTransaction()) {
      return false;
    }
    if (gathered != null) {
      if (!gathered.advance()) {
        return false;
      }
      made = cursors.add(MergeSpec.CONCATENATION);
      cursor = made;
      made.open(gathered);
    } else if (strategy instanceof ScatterStrategy.Merge merge) {
      List<Integer> shards = requests.stream().map(ShardRequest::shard).toList();
      if (!execution.participants().requireAll(shards)) {
        return false;
      }
      made = cursors.add(merge.spec());
      cursor = made;
      made.open(requests);
      for (ShardRequest request : requests) {
        execution.counters().count(request.shard(), ShardCounter.STATEMENTS);
      }
    } else {
      throw new IllegalStateException("no query: " + strategy);
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    return made.isAnswered();
  }

  /** What it has opened; also if that failed. */
  @Nullable ScatterCursor cursor() {
    return cursor;
  }
}
