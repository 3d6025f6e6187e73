package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitStatement;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.SettingsState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Transaction control, from BEGIN to COMMIT, over as many shards as the transaction is on. */
final class TransactionStep implements Step {
  private static final String SET_TRANSACTION = "SET TRANSACTION ";

  private final Client client;
  private final Transaction transaction;
  private final PlannedStatement statement;
  private final StatementPlan.Transaction plan;
  private final Arguments.Protocol protocol;
  private @Nullable Step work;
  private @Nullable EndStep ending;

  /** Of the transaction that ends: what AND CHAIN gives the next one. */
  private List<TransactionMode> modes = List.of();

  private List<TransactionMode> modesUndone = List.of();
  private @Nullable Broadcast sent;
  private boolean warned;

  /** Behind a savepoint of the proxy's own. */
  private boolean becomesReadOnly;

  TransactionStep(
      Client client,
      PlannedStatement statement,
      StatementPlan.Transaction plan,
      Arguments.Protocol protocol) {
    this.client = client;
    this.transaction = client.transaction();
    this.statement = statement;
    this.plan = plan;
    this.protocol = protocol;
  }

  @Override
  public boolean advance() {
    if (!client.participants().drained()) {
      return false;
    }
    return switch (plan.command()) {
      case BEGIN -> begin();
      case COMMIT -> end(true);
      case ROLLBACK -> end(false);
      case SAVEPOINT, RELEASE, ROLLBACK_TO -> savepoint();
      case SET_TRANSACTION -> setTransaction();
      case PREPARE -> prepare();
    };
  }

  @Override
  public void abandon() {
    if (work != null) {
      work.abandon();
    }
  }

  private boolean begin() {
    if (transaction.mode() == Mode.NONE) {
      refuseTooLate();
      transaction.begin(Mode.EXPLICIT, plan.modes());
      followQueries();
      return complete(statement.tag());
    }
    if (transaction.mode() == Mode.EXPLICIT && !warned) {
      warned = true;
      warn(SqlState.ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress");
    }
    if (!plan.modes().isEmpty() && !areModesSet()) {
      return false;
    }
    if (transaction.mode() == Mode.IMPLICIT) {
      transaction.makeExplicit();
      followQueries();
    }
    return complete(statement.tag());
  }

  /** On the servers that the transaction has begun on, and for those that follow. */
  private boolean areModesSet() {
    if (work == null) {
      refuseTooLate();
      if (!everywhere()) {
        return false;
      }
    }
    if (work != null && !work.advance()) {
      return false;
    }
    if (becomesReadOnly) {
      transaction.addSavepoint(Transaction.BEFORE_READ_ONLY);
      client.clientSettings().change(this::settingsAfter);
    }
    transaction.addModes(plan.modes());
    return true;
  }

  /**
   * Queries of several shards that stand in the same pipeline: none is in the transaction there.
   */
  private void followQueries() {
    if (client.dialog().hasQueried()) {
      transaction.followQuery();
    }
  }

  /**
   * Refuses modes that belong before the first query where no server can: it knows of no query, or
   * would name the client's savepoints, of which there is none.
   */
  private void refuseTooLate() {
    boolean behindOwnSavepoint =
        transaction.becameReadOnly() && transaction.savepoints().size() == 1;
    boolean behindQuery =
        (transaction.mode() != Mode.NONE && transaction.followsQuery())
            || (transaction.mode() != Mode.EXPLICIT && client.dialog().hasQueried());
    if (!behindOwnSavepoint && !behindQuery) {
      return;
    }
    for (TransactionMode mode : plan.modes()) {
      switch (mode.kind()) {
        case ISOLATION_LEVEL -> {
          if (transaction.isolationLevel(client.clientSettings().base()).orElse(null) != mode) {
            throw tooLate("SET TRANSACTION ISOLATION LEVEL must be called");
          }
        }
        case ACCESS -> {
          if (mode == TransactionMode.READ_WRITE && transaction.isReadOnly()) {
            throw tooLate("transaction read-write mode must be set");
          }
        }
        case DEFERRABLE -> throw tooLate("SET TRANSACTION [NOT] DEFERRABLE must be called");
      }
    }
  }

  private static StatementException tooLate(String what) {
    return new StatementException(SqlState.ACTIVE_SQL_TRANSACTION, what + " before any query");
  }

  private boolean end(boolean commits) {
    EndStep end = ending;
    if (end == null) {
      requireBlockToChain();
      if (transaction.mode() != Mode.EXPLICIT) {
        warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
        if (transaction.mode() == Mode.NONE) {
          return alone(commits ? "COMMIT" : "ROLLBACK");
        }
      }
      modes = transaction.modes();
      modesUndone = transaction.modesBehindRollback();
      end = commits ? EndStep.commit(client) : EndStep.rollback(client);
      ending = end;
      work = end;
    }
    if (!end.advance()) {
      return false;
    }
    if (plan.chain()) {
      transaction.beginChained(end.isCommitted() ? modes : modesUndone);
    }
    return complete(end.isCommitted() ? "COMMIT" : "ROLLBACK");
  }

  /** It ends the transaction that it is itself, with all portals. */
  private boolean alone(String tag) {
    client.portals().clear();
    client.dialog().transactionOver();
    return complete(tag);
  }

  private void requireBlockToChain() {
    if (plan.chain() && transaction.mode() != Mode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          plan.command() + " AND CHAIN can only be used in transaction blocks");
    }
  }

  private static String name(StatementPlan.Transaction.Command command) {
    return switch (command) {
      case RELEASE -> "RELEASE SAVEPOINT";
      case ROLLBACK_TO -> "ROLLBACK TO SAVEPOINT";
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, SET_TRANSACTION, PREPARE -> command.name();
    };
  }

  private boolean savepoint() {
    if (transaction.mode() != Mode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          name(plan.command()) + " can only be used in transaction blocks");
    }
    if (work == null) {
      if (plan.command() != StatementPlan.Transaction.Command.SAVEPOINT
          && transaction.savepoint(plan.savepoint()) < 0) {
        throw new StatementException(
            SqlState.INVALID_SAVEPOINT_SPECIFICATION,
            "savepoint \"" + plan.savepoint() + "\" does not exist");
      }
      if (!everywhere()) {
        return false;
      }
    }
    if (work != null && !work.advance()) {
      return false;
    }
    client.clientSettings().change(this::settingsAfter);
    switch (plan.command()) {
      case SAVEPOINT -> transaction.addSavepoint(plan.savepoint());
      case RELEASE -> {
        transaction.release(transaction.savepoint(plan.savepoint()));
        client.scatter().released(transaction.savepoints().size());
        client.portals().released(transaction.savepoints().size());
      }
      default -> rolledBackTo(transaction.savepoint(plan.savepoint()));
    }
    return complete(statement.tag());
  }

  private void rolledBackTo(int index) {
    Transaction.Savepoint savepoint = transaction.savepoints().get(index);
    transaction.dropSavepoints(index + 1);
    client.scatter().rolledBackTo(index);
    client.portals().rolledBackTo(index);
    client.ownTables().rolledBackToSavepoint();
    transaction.recover(savepoint);
  }

  private boolean setTransaction() {
    // A Bind before it has begun a transaction, but makes no block of it.
    boolean isAlone =
        transaction.mode() == Mode.NONE
            || (transaction.mode() == Mode.IMPLICIT
                && protocol == Arguments.Protocol.EXTENDED
                && !client.dialog().hasExecuted());
    if (isAlone && !warned) {
      warned = true;
      warn(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "SET TRANSACTION can only be used in transaction blocks");
    }
    if (transaction.mode() == Mode.NONE) {
      if (protocol == Arguments.Protocol.EXTENDED) {
        refuseTooLate();
        // Behind a ROLLBACK a server still owes what that has changed: it tells at a Sync.
        if (!client.participants().requireAll(List.of())) {
          return false;
        }
        transaction.begin(Mode.IMPLICIT, plan.modes()); // until Sync
      }
      return complete("SET");
    }
    return areModesSet() && complete("SET");
  }

  /** PREPARE TRANSACTION on the only shard: whatever it answers, the transaction is over. */
  private boolean prepare() {
    Broadcast broadcast = sent;
    if (broadcast == null) {
      ServerConnection server = client.participants().require(0);
      if (server == null) {
        return false;
      }
      if (transaction.mode() == Mode.IMPLICIT) {
        warn(SqlState.NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress");
      }
      broadcast = Broadcast.of(client.output(), List.of(server), statement.sql());
      sent = broadcast;
    }
    try {
      if (!broadcast.advance()) {
        return false;
      }
    } catch (StatementException e) {
      over(false);
      throw e;
    }
    String tag = broadcast.tag();
    over(CommitStatement.PREPARE.tag().equals(tag));
    return complete(tag == null ? CommitStatement.ROLLBACK.tag() : tag);
  }

  private void over(boolean kept) {
    client.end().finish(kept);
    client.participants().releaseAll();
  }

  /** Sends the statement to all shards of the transaction. */
  private boolean everywhere() {
    List<ServerConnection> enlisted = client.participants().enlisted();
    if (enlisted.isEmpty() && !isForServerToJudge()) {
      return true;
    }
    if (enlisted.isEmpty()) {
      ServerConnection judge = client.participants().require(client.participants().lowestShard());
      if (judge == null) {
        return false;
      }
      enlisted = List.of(judge);
    }
    if (!client
        .participants()
        .requireAll(enlisted.stream().map(ServerConnection::shard).toList())) {
      return false;
    }
    becomesReadOnly =
        plan.modes().contains(TransactionMode.READ_ONLY)
            && !transaction.becameReadOnly()
            && enlisted.stream().anyMatch(ServerConnection::hasWritten);
    List<String> statements = becomesReadOnly ? statementsToReadOnly() : List.of(text());
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    enlisted.forEach(server -> texts.put(server, statements));
    work =
        new Broadcast(client.output(), texts).changing((before, values) -> settingsAfter(before));
    return true;
  }

  private String text() {
    return plan.command() == StatementPlan.Transaction.Command.BEGIN
        ? SET_TRANSACTION + TransactionMode.sql(plan.modes())
        : statement.sql();
  }

  /**
   * A savepoint keeps apart what it has written before. The other modes come first: a server
   * refuses them behind a savepoint in other words.
   */
  private List<String> statementsToReadOnly() {
    List<TransactionMode> others = new ArrayList<>(plan.modes());
    others.removeIf(TransactionMode.READ_ONLY::equals);
    List<String> statements = new ArrayList<>();
    if (!others.isEmpty()) {
      statements.add(SET_TRANSACTION + TransactionMode.sql(others));
    }
    statements.add("SAVEPOINT \"" + Transaction.BEFORE_READ_ONLY + '"');
    statements.add(SET_TRANSACTION + TransactionMode.READ_ONLY.sql());
    return statements;
  }

  /** Behind a savepoint not all modes may be set. */
  private boolean isForServerToJudge() {
    boolean setsModes =
        switch (plan.command()) {
          case BEGIN, SET_TRANSACTION -> true;
          case COMMIT, ROLLBACK, SAVEPOINT, RELEASE, ROLLBACK_TO, PREPARE -> false;
        };
    return setsModes && !transaction.savepoints().isEmpty();
  }

  /** What the command does to settings, of a server and of the session. */
  private SettingsState settingsAfter(SettingsState before) {
    return switch (plan.command()) {
      case SAVEPOINT -> before.savepoint(plan.savepoint());
      case RELEASE -> before.released(plan.savepoint());
      case ROLLBACK_TO -> before.rolledBackTo(plan.savepoint());
      case BEGIN, SET_TRANSACTION ->
          becomesReadOnly ? before.savepoint(Transaction.BEFORE_READ_ONLY) : before;
      case COMMIT, ROLLBACK, PREPARE -> before;
    };
  }

  private void warn(SqlState state, String message) {
    BackendMessages.noticeResponse(client.out(), ErrorFields.of(Severity.WARNING, state, message));
  }

  private boolean complete(String tag) {
    client.output().complete(tag);
    return true;
  }
}
