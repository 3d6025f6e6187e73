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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A change of the schema, or maintenance, on all shards that it concerns. */
public final class DdlStep implements ExecutionStep {
  private final Execution execution;
  private final OwnTables ownTables;
  private final TransactionCatalogs catalogs;
  private final PlannedStatement statement;
  private final StatementPlan.Ddl ddl;
  private final List<Integer> shards = new ArrayList<>();
  private final ExecutionStep refilling;
  private @Nullable Broadcast sent;
  private boolean inTransaction;
  private @Nullable SchemaRefresh refresh;

  /**
   * @param catalogs are read when the statement has changed what is read there
   * @param refill gives values of the first shard's rows to the others
   */
  public DdlStep(
      Execution execution,
      OwnTables ownTables,
      TransactionCatalogs catalogs,
      PlannedStatement statement,
      StatementPlan.Ddl ddl,
      Function<ReplayedChange, ExecutionStep> refill) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
    this.statement = statement;
    this.ddl = ddl;
    ExecutionStep refilled = ExecutionStep.DONE;
    for (ReplayedChange change : ddl.refilled()) {
      refilled = refilled.then(() -> refill.apply(change));
    }
    this.refilling = refilled;
    for (int shard = 0; shard < ddl.statements().size(); shard++) {
      if (ddl.statements().get(shard) != null) {
        shards.add(shard);
      }
    }
  }

  @Override
  public boolean advance() {
    if (sent == null && !send()) {
      return false;
    }
    if (sent != null && !isAnswered(sent)) {
      return false;
    }
    if (!refilling.advance()) {
      return false;
    }
    if (ddl.changesMap() && inTransaction) {
      ownTables.change(statement, ddl);
    } else if (ddl.changesMap()) {
      if (refresh == null) {
        refresh = new SchemaRefresh(execution, ownTables, catalogs);
      }
      if (!refresh.advance()) {
        return false;
      }
    }
    String tag = sent == null ? null : sent.firstTag();
    execution
        .output()
        .complete(
            tag == null || tag.isEmpty() || tag.equals("DO") // which the planner has made of it
                ? statement.tag().toUpperCase(Locale.ROOT)
                : tag);
    return true;
  }

  /** Without a transaction some shards may be done when one fails: the error says which. */
  private boolean isAnswered(Broadcast answers) {
    try {
      return answers.advance();
    } catch (StatementException e) {
      String detail = e.fields().detail() == null ? "" : e.fields().detail() + "\n";
      List<String> done = answers.succeeded().stream().map(ServerConnection::shardName).toList();
      throw inTransaction || shards.size() == 1
          ? e
          : new StatementException(
              e.fields()
                  .withDetail(
                      detail
                          + (done.isEmpty()
                              ? "No shard has done it."
                              : "Done on: " + String.join(", ", done) + ".")));
    }
  }

  private boolean send() {
    inTransaction = ddl.transactional() || execution.transaction().mode() != EndMode.NONE;
    if (inTransaction && !execution.participants().inTransaction()) {
      return false;
    }
    if (!execution.participants().requireAll(shards)) {
      return false;
    }
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
        server.dialog().mayHaveSet(); // by a function that it makes, and that the transaction calls
        server.dialog().mayMake(CustomParameters.in(statement.sql()));
      }
      texts.put(server, List.of(sql));
    }
    execution.counters().count(LoopCounter.STATEMENTS_DDL);
    Broadcast broadcast = new Broadcast(execution.output(), texts).endingPortal();
    sent = inTransaction ? broadcast.inOrder() : broadcast;
    return true;
  }
}
