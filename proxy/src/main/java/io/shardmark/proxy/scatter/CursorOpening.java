package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the portals of a merged result on all its shards. */
final class CursorOpening implements Step {
  private final OpenCursors cursors;
  private final Execution execution;
  private final Spread.Merge merge;
  private final Arguments arguments;
  private final List<ShardRequest> requests;
  private @Nullable ScatterCursor cursor;
  private @Nullable ColumnCount columnCount;

  CursorOpening(
      Execution execution, OpenCursors cursors, Route.Several route, Arguments arguments) {
    if (!(route.spread() instanceof Spread.Merge found)) {
      throw new IllegalArgumentException("no merge: " + route.spread());
    }
    this.cursors = cursors;
    this.execution = execution;
    this.merge = found;
    this.arguments = arguments;
    this.requests = ShardRequest.all(execution, route, arguments);
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
    if (!execution.participants().requireAll(requests.stream().map(ShardRequest::shard).toList())) {
      return false;
    }
    ColumnCount columns = columnCount;
    if (columns == null) {
      columns = new ColumnCount(execution, requests.get(0), arguments, merge);
      columnCount = columns;
    }
    if (!columns.isKnown()) {
      return false;
    }
    made = cursors.add(merge.spec());
    cursor = made;
    made.open(requests, columns.value());
    for (ShardRequest request : requests) {
      execution.counters().count(request.shard(), ShardCounter.STATEMENTS);
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    return made.isAnswered();
  }

  /** What it has opened; also if that failed. */
  @Nullable ScatterCursor cursor() {
    return cursor;
  }
}
