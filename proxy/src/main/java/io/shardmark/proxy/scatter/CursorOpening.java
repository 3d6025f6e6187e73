package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the portals of a merged result on all its shards, or the portal of a computed one on the
 * server that computes it.
 */
final class CursorOpening implements Step {
  private final OpenCursors cursors;
  private final Execution execution;
  private final Spread spread;
  private final Arguments arguments;
  private final List<ShardRequest> requests;
  private final @Nullable GatheredRows gathered;
  private @Nullable ScatterCursor cursor;
  private @Nullable ColumnCount columnCount;

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
    this.spread = route.spread();
    this.arguments = arguments;
    this.requests = ShardRequest.all(execution, route, arguments);
    this.gathered =
        spread instanceof Spread.Finish ? new GatheredRows(execution, sql, route, arguments) : null;
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
    } else if (spread instanceof Spread.Merge merge) {
      ColumnCount columns = columns();
      if (columns == null) {
        return false;
      }
      made = cursors.add(merge.spec());
      cursor = made;
      made.open(requests, columns.value());
      for (ShardRequest request : requests) {
        execution.counters().count(request.shard(), ShardCounter.STATEMENTS);
      }
    } else {
      throw new IllegalStateException("no query: " + spread);
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    return made.isAnswered();
  }

  /** Null as long as they are not known. */
  private @Nullable ColumnCount columns() {
    if (!execution.participants().requireAll(requests.stream().map(ShardRequest::shard).toList())) {
      return null;
    }
    ColumnCount columns = columnCount;
    if (columns == null) {
      columns = new ColumnCount(execution, requests.get(0), arguments, spread);
      columnCount = columns;
    }
    return columns.isKnown() ? columns : null;
  }

  /** What it has opened; also if that failed. */
  @Nullable ScatterCursor cursor() {
    return cursor;
  }
}
