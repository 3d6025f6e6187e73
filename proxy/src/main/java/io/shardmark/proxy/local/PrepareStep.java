package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * PREPARE in SQL: the statement becomes one of the client's prepared statements, as those of the
 * protocol, and any server says whether it is right.
 */
public final class PrepareStep implements Step {
  private final Execution execution;
  private final ClientStatements statements;
  private final Function<StatementText, PlannedStatement> plans;
  private final StatementPlan.Prepare plan;
  private @Nullable StatementText text;
  private @Nullable Proof proof;

  /**
   * @param plans as the client's statements are planned now
   */
  public PrepareStep(
      Execution execution,
      ClientStatements statements,
      Function<StatementText, PlannedStatement> plans,
      StatementPlan.Prepare plan) {
    this.execution = execution;
    this.statements = statements;
    this.plans = plans;
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
    Proof asked = proof;
    statements.keep(plan.name(), asked == null ? known : execution.text(plan.sql(), asked.types));
    execution.output().complete("PREPARE");
    return true;
  }

  private StatementText found() {
    if (statements.isPrepared(plan.name())) {
      throw new StatementException(
          SqlState.DUPLICATE_PREPARED_STATEMENT,
          "prepared statement \"" + plan.name() + "\" already exists");
    }
    int[] types = plan.typeOids().stream().mapToInt(Integer::intValue).toArray();
    StatementText made = execution.text(plan.sql(), types);
    PlannedStatement planned = plans.apply(made);
    if (planned.plan() instanceof StatementPlan.Refused refused) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED, refused.message(), refused.hint());
    }
    if (!(planned.plan() instanceof StatementPlan.Query)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          planned.tag() + " cannot be prepared over several shards",
          "Prepare SELECT, INSERT, UPDATE or DELETE.");
    }
    return made;
  }

  /** Also tells the types of the parameters that PREPARE does not give. */
  private boolean proves(StatementText known) {
    Proof asked = proof;
    if (asked == null) {
      ServerConnection free = execution.participants().require(execution.participants().anyShard());
      if (free == null) {
        return false;
      }
      asked = new Proof();
      proof = asked;
      known.prepareOn(free, asked);
      FrontendMessages.describeStatement(free.out(), known.id());
      free.expect(Expected.DESCRIBE_STATEMENT, asked);
      free.sync(asked);
      free.flush();
    }
    return asked.hasSucceeded();
  }

  private static final class Proof extends SyncedAnswer {
    /** OIDs from here on are of types that somebody has made, and differ between shards. */
    private static final int FIRST_OWN_TYPE = 16_384;

    private int[] types = new int[0];

    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.PARAMETER_DESCRIPTION) {
        types = CapturedAnswer.parameterTypes(message);
        for (int i = 0; i < types.length; i++) {
          types[i] = Integer.compareUnsigned(types[i], FIRST_OWN_TYPE) < 0 ? types[i] : 0;
        }
      }
    }
  }
}
