package io.shardmark.proxy.session;

import io.shardmark.config.proxy.CrossShardIsolation;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.ClientSettings;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import java.util.ArrayList;
import java.util.List;

/**
 * How a server connection comes to have a client's settings, and to be in its transaction.
 *
 * @param refusal of settings by a server
 */
record Joining(ClientSettings settings, Transaction transaction, Refusal refusal) {
  /**
   * Whether the server has the settings with which the client's transaction begins, or its next
   * statement; else gives it those, and nothing may be sent before it has answered.
   *
   * @throws StatementException if the server refuses them
   */
  @SuppressWarnings("ReferenceEquality") // equal ones of a loop are the same object nearly always
  boolean hasSettings(ServerConnection server) {
    Settings wanted = settings.base();
    if (server.dialog().settings().base() == wanted || wanted == Settings.NONE) {
      return true; // NONE: the session has not begun, and takes what a server has
    }
    if (!server.hasAnswered()) {
      return false;
    }
    refusal.throwTo(server.shard());
    List<String> statements = server.statementsTo(wanted);
    if (statements.isEmpty()) {
      server.dialog().setEqual(wanted);
      return true;
    }
    server.query(String.join("; ", statements), new SettingsGiven(SettingsState.of(wanted)));
    server.flush();
    return false;
  }

  /** The answer to statements that give a server the settings of the session. */
  private final class SettingsGiven extends CapturedAnswer {
    private final SettingsState given;

    SettingsGiven(SettingsState given) {
      this.given = given;
    }

    @Override
    public boolean hidesParameters() {
      return true;
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      super.completed(server, status);
      ErrorFields refused = error();
      if (refused == null) {
        server.dialog().changed(before -> given);
      } else {
        refusal.by(server.shard(), refused);
        if (status == TransactionStatus.IDLE) {
          server.dialog().released();
        }
      }
    }
  }

  /** Whether the transaction has one snapshot, which two shards do not have in common. */
  boolean needsOneSnapshot() {
    return transaction.needsOneSnapshot(settings.base());
  }

  /** Whether it may have one that is taken on all shards at once. */
  boolean mayShareSnapshot() {
    return transaction.snapshot().isEmpty()
        && transaction.isolationLevel(settings.base()).orElse(null)
            == TransactionMode.REPEATABLE_READ;
  }

  /**
   * Begins the client's transaction there, with what it has set in it so far; whether the next
   * message may follow at once.
   */
  boolean begin(ServerConnection server) {
    SettingsState now = settings.state();
    if (now.isSettled() && transaction.snapshot().isEmpty()) {
      server.dialog().enlisted();
      server.begin(TransactionMode.sql(transaction.modes()));
      return true;
    }
    // Separately, since a server reports what this changes only at its end.
    begin(server, List.of(), new SettingsGiven(now));
    return false;
  }

  /** The same, and takes its snapshot. */
  CapturedAnswer beginWithSnapshot(ServerConnection server) {
    SettingsGiven answer = new SettingsGiven(settings.state());
    begin(server, List.of("SELECT"), answer);
    return answer;
  }

  private void begin(ServerConnection server, List<String> then, SettingsGiven answer) {
    List<String> statements = new ArrayList<>();
    statements.add("BEGIN " + TransactionMode.sql(transaction.modes()));
    transaction.snapshot().ifPresent(id -> statements.add(id.sql(server.shardName())));
    statements.addAll(SettingsSql.join(answer.given));
    statements.addAll(then);
    server.dialog().enlisted();
    server.begin(String.join("; ", statements), answer);
    server.flush();
  }

  /** The transaction has failed, and no savepoint brings it back. */
  StatementException failed(ErrorFields why) {
    transaction.lose(why);
    return new StatementException(why);
  }

  /**
   * Refuses a dump of all shards: each shows its own partitions, so the others' would be missing.
   */
  void refuseDump() {
    if (settings.base().value("application_name").filter("pg_dump"::equals).isPresent()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "pg_dump dumps one shard: each shard shows its own partitions only",
          "Dump shard by shard, with PGOPTIONS='-c shardmark.shard=...' and --snapshot.");
    }
  }

  /** Refuses a further shard to a transaction that sees one snapshot. */
  StatementException noSecondShard(CrossShardIsolation configured) {
    String hint = "Use READ COMMITTED, or set cross_shard_isolation: snapshot.";
    if (configured == CrossShardIsolation.SNAPSHOT) {
      hint =
          mayShareSnapshot()
              ? "Begin it with BEGIN, without a shard given by hand, while all shards answer."
              : "Use REPEATABLE READ, which takes one snapshot of all shards.";
    }
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "a transaction of this isolation level cannot reach a second shard: its shards have no"
            + " common snapshot",
        hint);
  }

  /**
   * Makes the implicit transaction of the pipeline so far one that can go on elsewhere, when the
   * server answers. It has answered all that was sent before.
   */
  void beginForPipeline(ServerConnection server) {
    server.command(List.of("BEGIN"), new PipelineBegun());
    server.flush();
  }

  private final class PipelineBegun extends CapturedAnswer {
    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      ErrorFields failure = error();
      if (failure == null) {
        transaction.begin(Transaction.EndMode.IMPLICIT, List.of());
        server.dialog().enlisted();
      } else {
        refusal.byAll(failure); // the statement that needs it, on whatever shard
      }
    }
  }
}
