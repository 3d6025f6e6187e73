package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction.EndMode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.CustomParameters;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A change of the schema, or maintenance, on all shards that it concerns. */
public final class DdlStep {
  private final Execution execution;
  private final OwnTables ownTables;
  private final TransactionCatalogs catalogs;
  private final PlannedStatement statement;
  private final StatementPlan.Ddl ddl;
  private final List<Integer> shards;
  private boolean inTransaction;

  private DdlStep(
      Execution execution,
      OwnTables ownTables,
      TransactionCatalogs catalogs,
      PlannedStatement statement,
      StatementPlan.Ddl ddl) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
    this.statement = statement;
    this.ddl = ddl;
    this.shards =
        IntStream.range(0, ddl.statements().size())
            .filter(shard -> ddl.statements().get(shard) != null)
            .boxed()
            .toList();
  }

  /**
   * @param catalogs are read when the statement has changed what is read there
   * @param refill gives values of the first shard's rows to the others
   */
  public static ExecutionStep of(
      Execution execution,
      OwnTables ownTables,
      TransactionCatalogs catalogs,
      PlannedStatement statement,
      StatementPlan.Ddl ddl,
      Function<ReplayedChange, ExecutionStep> refill) {
    DdlStep step = new DdlStep(execution, ownTables, catalogs, statement, ddl);
    ExecutionStep connected = step::isConnected;
    return connected.then(() -> step.answered(step.sent(), refill));
  }

  private ExecutionStep answered(Broadcast sent, Function<ReplayedChange, ExecutionStep> refill) {
    ExecutionStep done =
        inTransaction || shards.size() == 1 ? sent : sent.failing(e -> partlyDone(e, sent));
    for (ReplayedChange change : ddl.refilled()) {
      done = done.then(() -> refill.apply(change));
    }
    return done.then(this::changed).thenDo(() -> complete(sent.firstTag()));
  }

  private ExecutionStep changed() {
    if (ddl.changesMap() && inTransaction) {
      ownTables.change(statement, ddl);
    }
    return ddl.changesMap() && !inTransaction
        ? SchemaSteps.publishing(execution, ownTables, catalogs)
        : ExecutionStep.DONE;
  }

  private void complete(@Nullable String tag) {
    execution
        .output()
        .complete(
            tag == null || tag.isEmpty() || tag.equals("DO") // which the planner has made of it
                ? statement.tag().toUpperCase(Locale.ROOT)
                : tag);
  }

  /** Without a transaction some shards may be done when one fails: the error says which. */
  private static StatementException partlyDone(StatementException e, Broadcast answers) {
    String detail = e.fields().detail() == null ? "" : e.fields().detail() + "\n";
    List<String> done = answers.succeeded().stream().map(ServerConnection::shardName).toList();
    return new StatementException(
        e.fields()
            .withDetail(
                detail
                    + (done.isEmpty()
                        ? "No shard has done it."
                        : "Done on: " + String.join(", ", done) + ".")));
  }

  private boolean isConnected() {
    inTransaction = ddl.transactional() || execution.transaction().mode() != EndMode.NONE;
    return (!inTransaction || execution.participants().inTransaction())
        && execution.participants().requireAll(shards);
  }

  private Broadcast sent() {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    if (ddl.shown() >= 0) { // the first one's answer is the client's
      texts.put(execution.participants().required(ddl.shown()), List.of());
    }
    for (int shard : shards) {
      ServerConnection server = execution.participants().required(shard);
      String sql = ddl.statements().get(shard);
      if (sql == null) {
        throw new IllegalStateException("nothing to send to a shard of the statement");
      }
      if (inTransaction) {
        server.dialog().wrote();
        // By a function that it makes, and that the transaction calls.
        server.dialog().mayHaveSet(CustomParameters.in(statement.sql()));
      }
      texts.put(server, List.of(sql));
    }
    execution.counters().count(LoopCounter.STATEMENTS_DDL);
    Broadcast broadcast = new Broadcast(execution.output(), texts).endingPortal();
    return inTransaction ? broadcast.inOrder() : broadcast;
  }
}
