package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.StatementPlan.ExportSnapshot;
import io.shardmark.proxy.routing.StatementPlan.ImportSnapshot;
import io.shardmark.proxy.routing.StatementPlan.QueryPlan;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan.TransactionVerb;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transaction control, exactly as PostgreSQL's grammar has it (PG18 sql-begin, sql-set-transaction
 * and the pages next to them): the proxy answers these commands without a server's parse. A text
 * that is no such command by a letter is a server's to refuse.
 */
record TransactionCommands(TokenCursor words, boolean oneShard) {
  /** Key words that cannot name a savepoint (PG18 appendix C, sql-keywords-appendix). */
  private static final Set<String> RESERVED =
      Set.of(
          ("all analyse analyze and any array as asc asymmetric authorization binary both case cast"
                  + " check collate collation column concurrently constraint create cross"
                  + " current_catalog current_date current_role current_schema current_time"
                  + " current_timestamp current_user default deferrable desc distinct do else end"
                  + " except false fetch for foreign freeze from full grant group having ilike in"
                  + " initially inner intersect into is isnull join lateral leading left like limit"
                  + " localtime localtimestamp natural not notnull null offset on only or order"
                  + " outer overlaps placing primary references returning right select session_user"
                  + " similar some symmetric system_user table tablesample then to trailing true"
                  + " union unique user using variadic verbose when where window with")
              .split(" "));

  /** The plan, or null if the statement is not one of these commands. */
  static @Nullable StatementPlan plan(TokenRange statement, int shards) {
    TokenCursor words = new TokenCursor(statement);
    StatementPlan plan = new TransactionCommands(words, shards == 1).plan();
    boolean servers = plan instanceof QueryPlan || plan instanceof StatementPlan.RefusedPlan;
    return servers || words.done() ? plan : null;
  }

  private @Nullable StatementPlan plan() {
    return switch (words.take().text()) {
      case "begin" -> {
        workOrTransaction();
        yield modes(TransactionVerb.BEGIN);
      }
      case "start" -> words.take("transaction") ? modes(TransactionVerb.BEGIN) : null;
      case "commit" ->
          words.take("prepared") ? ofPrepared("COMMIT PREPARED") : end(TransactionVerb.COMMIT);
      case "end" -> end(TransactionVerb.COMMIT);
      case "rollback" -> rollback();
      case "abort" -> end(TransactionVerb.ROLLBACK);
      case "savepoint" -> named(TransactionVerb.SAVEPOINT);
      case "release" -> {
        takeSavepoint();
        yield named(TransactionVerb.RELEASE);
      }
      case "prepare" -> words.take("transaction") ? prepare() : null;
      case "set" -> set();
      case "select" -> exportSnapshot();
      default -> null;
    };
  }

  private void workOrTransaction() {
    if (!words.take("work")) {
      words.take("transaction");
    }
  }

  private @Nullable StatementPlan end(TransactionVerb command) {
    workOrTransaction();
    boolean chain = words.take("and", "chain");
    if (!chain) {
      words.take("and", "no", "chain");
    }
    return new TransactionPlan(command, chain);
  }

  private @Nullable StatementPlan rollback() {
    if (words.take("prepared")) {
      return ofPrepared("ROLLBACK PREPARED");
    }
    int ahead = words.peek().isWord("work") || words.peek().isWord("transaction") ? 1 : 0;
    if (!words.peek(ahead).isWord("to")) {
      return end(TransactionVerb.ROLLBACK);
    }
    for (int i = 0; i <= ahead; i++) {
      words.take();
    }
    takeSavepoint();
    return named(TransactionVerb.ROLLBACK_TO);
  }

  /** The word may also be the name. */
  private void takeSavepoint() {
    if (words.peek(1).kind() != TokenKind.END) {
      words.take("savepoint");
    }
  }

  private @Nullable StatementPlan named(TransactionVerb command) {
    Token name = words.take();
    if (name.kind() == TokenKind.OTHER_STRING) {
      return new StatementPlan.RefusedPlan(
          "a savepoint cannot be named with U& through the proxy", "Use a plain name.");
    }
    boolean fits =
        name.kind() == TokenKind.QUOTED
            || (name.kind() == TokenKind.WORD && !RESERVED.contains(name.text()));
    return fits ? new TransactionPlan(command, name.text()) : null;
  }

  private @Nullable StatementPlan prepare() {
    return string() ? new TransactionPlan(TransactionVerb.PREPARE) : null;
  }

  /** A server's own, which runs outside of a transaction. */
  private @Nullable StatementPlan ofPrepared(String command) {
    if (!oneShard) {
      return refusedTwoPhase(command);
    }
    return string() ? QueryPlan.anywhere(Access.WRITE) : null;
  }

  private boolean string() {
    TokenKind kind = words.take().kind();
    return kind == TokenKind.STRING
        || kind == TokenKind.ESCAPED_STRING
        || kind == TokenKind.DOLLAR_STRING
        || kind == TokenKind.OTHER_STRING;
  }

  private @Nullable StatementPlan set() {
    if (!words.take("local", "transaction")
        && !words.take("session", "transaction")
        && !words.take("transaction")) {
      return null;
    }
    if (words.take("snapshot")) {
      return oneShard ? QueryPlan.anywhere(Access.READ) : new ImportSnapshot(words.value());
    }
    TransactionPlan set = words.done() ? null : modes(TransactionVerb.SET_TRANSACTION);
    // What is wrong in it is a server's to say: it is no parameter's SET either.
    return set == null ? QueryPlan.anywhere(Access.READ) : set;
  }

  private @Nullable TransactionPlan modes(TransactionVerb command) {
    List<TransactionMode> modes = new ArrayList<>();
    while (!words.done()) {
      if (!modes.isEmpty()) {
        words.take(",");
      }
      TransactionMode mode = mode();
      if (mode == null) {
        return null;
      }
      modes.add(mode);
    }
    return new TransactionPlan(command, "", false, List.copyOf(modes));
  }

  private @Nullable TransactionMode mode() {
    for (TransactionMode mode : TransactionMode.values()) {
      if (words.take(mode.sql().toLowerCase(Locale.ROOT).split(" "))) {
        return mode;
      }
    }
    return null;
  }

  private @Nullable StatementPlan exportSnapshot() {
    words.take("pg_catalog", ".");
    return !oneShard && words.take("pg_export_snapshot", "(", ")") ? new ExportSnapshot() : null;
  }

  private static StatementPlan refusedTwoPhase(String command) {
    return new StatementPlan.RefusedPlan(
        command + " cannot be sent through the proxy", TransactionPlan.NO_TWO_PHASE);
  }
}
