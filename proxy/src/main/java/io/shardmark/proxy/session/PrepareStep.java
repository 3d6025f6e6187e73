package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * PREPARE in SQL: the statement becomes one of the client's prepared statements, as those of the
 * protocol, and any server says whether it is right.
 */
final class PrepareStep implements Step {
  private final Client client;
  private final StatementPlan.Prepare plan;
  private @Nullable StatementText text;
  private @Nullable SyncedAnswer proof;

  PrepareStep(Client client, StatementPlan.Prepare plan) {
    this.client = client;
    this.plan = plan;
  }

  @Override
  public boolean advance() {
    StatementText known = text;
    if (known == null) {
      known = found();
      text = known;
    }
    if (!proves(known)) {
      return false;
    }
    client.statements().keep(plan.name(), known);
    BackendMessages.commandComplete(client.out(), "PREPARE");
    return true;
  }

  private StatementText found() {
    if (client.statements().isPrepared(plan.name())) {
      throw new StatementException(
          SqlState.DUPLICATE_PREPARED_STATEMENT,
          "prepared statement \"" + plan.name() + "\" already exists");
    }
    int[] types = plan.typeOids().stream().mapToInt(Integer::intValue).toArray();
    StatementText made = client.text(plan.sql(), types);
    PlannedStatement planned = client.planned(made);
    if (planned.plan() instanceof StatementPlan.Refused refused) {
      throw new StatementException(
          new SqlState(refused.sqlState()), refused.message(), refused.hint());
    }
    if (!(planned.plan() instanceof StatementPlan.Query)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          planned.tag() + " cannot be prepared over several shards",
          "Prepare SELECT, INSERT, UPDATE or DELETE.");
    }
    return made;
  }

  private boolean proves(StatementText known) {
    SyncedAnswer asked = proof;
    if (asked == null) {
      ServerConnection free = client.links().require(client.links().anyShard());
      if (free == null) {
        return false;
      }
      asked = new SyncedAnswer();
      proof = asked;
      if (!free.isPrepared(known.id())) {
        free.prepare(known.id(), known.definition(), asked);
      }
      free.sync(asked);
      free.flush();
    }
    if (!asked.hasSucceeded()) {
      return false;
    }
    return true;
  }
}
