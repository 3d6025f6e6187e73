package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the portals of a merged result on all its shards. */
final class CursorOpening implements Step {
  private final ClientSession session;
  private final Spread.Merge merge;
  private final Arguments arguments;
  private final List<ShardRequest> requests;
  private @Nullable ScatterCursor cursor;
  private @Nullable ColumnCount columnCount;

  CursorOpening(ClientSession session, Route.Several route, Arguments arguments) {
    if (!(route.spread() instanceof Spread.Merge found)) {
      throw new IllegalArgumentException("no merge: " + route.spread());
    }
    this.session = session;
    this.merge = found;
    this.arguments = arguments;
    this.requests = ShardRequest.all(session, route, arguments);
  }

  @Override
  public boolean advance() {
    ScatterCursor made = cursor;
    if (made != null) {
      return made.isAnswered();
    }
    // Portals live in a transaction only; this one ends with the client's Sync.
    if (!session.links().inTransaction()) {
      return false;
    }
    if (!session.links().requireAll(requests.stream().map(ShardRequest::shard).toList())) {
      return false;
    }
    ColumnCount columns = columnCount;
    if (columns == null) {
      columns = new ColumnCount(session, requests.get(0), arguments, merge);
      columnCount = columns;
    }
    if (!columns.isKnown()) {
      return false;
    }
    made = session.end().cursors().make(merge.spec());
    cursor = made;
    made.open(requests, columns.value());
    for (ShardRequest request : requests) {
      session.context().counters().count(request.shard(), ShardCounter.STATEMENTS);
    }
    session.context().counters().count(LoopCounter.STATEMENTS_MERGED);
    return made.isAnswered();
  }

  /** What it has opened; also if that failed. */
  @Nullable ScatterCursor cursor() {
    return cursor;
  }
}
