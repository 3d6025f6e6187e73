package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement on several shards at once, answered as one. */
final class ScatterStep implements Step {
  private final ClientSession session;
  private final PlannedStatement statement;
  private final Route.Several route;
  private final Arguments arguments;
  private final List<ShardRequest> requests;
  private final List<ShardAnswer> answers = new ArrayList<>();
  private @Nullable CombinedAnswer combined;
  private final ColumnCount columnCount;
  private final @Nullable CopyLocks locks;

  private ScatterStep(
      ClientSession session, PlannedStatement statement, Route.Several route, Arguments arguments) {
    this.session = session;
    this.statement = statement;
    this.route = route;
    this.arguments = arguments;
    this.requests = ShardRequest.all(session, route, arguments);
    this.locks = CopyLocks.of(session, route.spread());
    this.columnCount = new ColumnCount(session, requests.get(0), arguments, route.spread());
  }

  static Step of(
      ClientSession session, PlannedStatement statement, Route.Several route, Arguments arguments) {
    if (arguments instanceof Arguments.Bound bound) {
      ScatterRows rest = bound.portal().rest();
      if (bound.portal().cursor() != null) {
        return PortalStep.further(session, bound);
      }
      if (rest != null) {
        return new RestOfPortal(session, bound, rest);
      }
    }
    if (arguments instanceof Arguments.Bound bound
        && bound.maxRows() > 0
        && route.spread() instanceof Spread.Merge) {
      return PortalStep.first(session, route, bound);
    }
    if (route.spread() instanceof Spread.Finish finish) {
      return new FinishStep(session, statement, route, finish, arguments);
    }
    if (route.spread() instanceof Spread.Same && arguments instanceof Arguments.Bound bound) {
      SameParameters.require(bound);
    }
    return new ScatterStep(session, statement, route, arguments);
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty() && !send()) {
      return false;
    }
    CombinedAnswer result = combined;
    if (result == null) {
      throw new IllegalStateException("answered without being asked");
    }
    if (answers.stream().anyMatch(ShardAnswer::hasFailed)) {
      result.abandon();
      answers.forEach(ShardAnswer::stop);
    }
    answers.forEach(ShardAnswer::pace);
    if (!answers.stream().allMatch(ShardAnswer::isOver)) {
      return false;
    }
    try {
      for (ShardAnswer answer : answers) {
        answer.throwFailure(session);
      }
      result.finish();
    } finally {
      result.close();
    }
    return true;
  }

  private boolean send() {
    // LOCK TABLE begins none: servers refuse it outside of a transaction block.
    boolean begins = route.access() != Access.READ && !statement.tag().equals("LOCK");
    if (begins && !session.links().inTransaction()) {
      return false;
    }
    List<Integer> shards = requests.stream().map(ShardRequest::shard).toList();
    if (!session.links().requireAll(shards) || !columnCount.isKnown()) {
      return false;
    }
    if (locks != null && !locks.advance()) {
      return false;
    }
    CombinedAnswer result =
        CombinedAnswer.of(session, statement, route.spread(), arguments, shards.size());
    combined = result;
    for (int i = 0; i < requests.size(); i++) {
      ShardRequest request = requests.get(i);
      ServerConnection server = session.links().held(request.shard());
      if (server == null) {
        throw new IllegalStateException("a required connection is not held");
      }
      if (route.access() == Access.WRITE) {
        server.markWritten();
      }
      ShardAnswer answer = new ShardAnswer(i, server, result);
      answers.add(answer);
      request.send(server, answer, columnCount.value());
      server.flush();
      session.context().counters().count(request.shard(), ShardCounter.STATEMENTS);
    }
    count();
    return true;
  }

  private void count() {
    Spread spread = route.spread();
    LoopCounter counter = LoopCounter.STATEMENTS_WRITTEN_ON_SEVERAL;
    if (spread instanceof Spread.Merge) {
      counter = LoopCounter.STATEMENTS_MERGED;
    } else if (spread instanceof Spread.Same) {
      counter = LoopCounter.STATEMENTS_REFERENCE_WRITE;
    } else if (spread instanceof Spread.SplitRows) {
      counter = LoopCounter.STATEMENTS_SPLIT;
    }
    session.context().counters().count(counter);
  }

  /** A further Execute of a portal that has written, and whose rows are here already. */
  private record RestOfPortal(ClientSession session, Arguments.Bound bound, ScatterRows rest)
      implements Step {
    @Override
    public boolean advance() {
      sendRows(session, bound, rest);
      return true;
    }
  }

  /** As many rows as this Execute asks for. */
  static void sendRows(ClientSession session, Arguments.Bound bound, ScatterRows rest) {
    int sent = 0;
    while (!rest.isEmpty() && (bound.maxRows() <= 0 || sent < bound.maxRows())) {
      session.write(rest.next());
      sent++;
    }
    if (bound.maxRows() > 0 && sent == bound.maxRows() && sent > 0) {
      BackendMessages.portalSuspended(session.out());
    } else {
      BackendMessages.commandComplete(session.out(), rest.tag(sent));
    }
  }
}
