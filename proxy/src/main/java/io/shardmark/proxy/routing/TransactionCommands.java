package io.shardmark.proxy.routing;

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
final class TransactionCommands {
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

  private final TokenCursor words;
  private final boolean oneShard;

  private TransactionCommands(TokenCursor words, boolean oneShard) {
    this.words = words;
    this.oneShard = oneShard;
  }

  /** The plan, or null if the statement is not one of these commands. */
  static @Nullable StatementPlan plan(TokenRange statement, int shards) {
    TokenCursor words = new TokenCursor(statement);
    StatementPlan plan = new TransactionCommands(words, shards == 1).plan();
    boolean servers =
        plan instanceof StatementPlan.QueryPlan || plan instanceof StatementPlan.RefusedPlan;
    return servers || words.done() ? plan : null;
  }

  private @Nullable StatementPlan plan() {
    return switch (words.take().text()) {
      case "begin" -> {
        workOrTransaction();
        yield modes(StatementPlan.TransactionPlan.TransactionVerb.BEGIN);
      }
      case "start" ->
          words.take("transaction")
              ? modes(StatementPlan.TransactionPlan.TransactionVerb.BEGIN)
              : null;
      case "commit" ->
          words.take("prepared")
              ? ofPrepared("COMMIT PREPARED")
              : end(StatementPlan.TransactionPlan.TransactionVerb.COMMIT);
      case "end" -> end(StatementPlan.TransactionPlan.TransactionVerb.COMMIT);
      case "rollback" -> rollback();
      case "abort" -> end(StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK);
      case "savepoint" -> named(StatementPlan.TransactionPlan.TransactionVerb.SAVEPOINT);
      case "release" -> {
        takeSavepoint();
        yield named(StatementPlan.TransactionPlan.TransactionVerb.RELEASE);
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

  private @Nullable StatementPlan end(StatementPlan.TransactionPlan.TransactionVerb command) {
    workOrTransaction();
    boolean chain = words.take("and", "chain");
    if (!chain) {
      words.take("and", "no", "chain");
    }
    return new StatementPlan.TransactionPlan(command, chain);
  }

  private @Nullable StatementPlan rollback() {
    if (words.take("prepared")) {
      return ofPrepared("ROLLBACK PREPARED");
    }
    int ahead = words.peek().isWord("work") || words.peek().isWord("transaction") ? 1 : 0;
    if (!words.peek(ahead).isWord("to")) {
      return end(StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK);
    }
    for (int i = 0; i <= ahead; i++) {
      words.take();
    }
    takeSavepoint();
    return named(StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK_TO);
  }

  /** The word may also be the name. */
  private void takeSavepoint() {
    if (words.peek(1).kind() != TokenKind.END) {
      words.take("savepoint");
    }
  }

  private @Nullable StatementPlan named(StatementPlan.TransactionPlan.TransactionVerb command) {
    Token name = words.take();
    if (name.kind() == TokenKind.OTHER_STRING) {
      return new StatementPlan.RefusedPlan(
          "a savepoint cannot be named with U& through the proxy", "Use a plain name.");
    }
    boolean fits =
        name.kind() == TokenKind.QUOTED
            || (name.kind() == TokenKind.WORD && !RESERVED.contains(name.text()));
    return fits ? new StatementPlan.TransactionPlan(command, name.text()) : null;
  }

  private @Nullable StatementPlan prepare() {
    return string()
        ? new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.PREPARE)
        : null;
  }

  /** A server's own, which runs outside of a transaction. */
  private @Nullable StatementPlan ofPrepared(String command) {
    if (!oneShard) {
      return refusedTwoPhase(command);
    }
    return string() ? StatementPlan.QueryPlan.anywhere(Access.WRITE) : null;
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
      return oneShard
          ? StatementPlan.QueryPlan.anywhere(Access.READ)
          : new StatementPlan.ImportSnapshot(words.value());
    }
    StatementPlan.TransactionPlan set =
        words.done() ? null : modes(StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION);
    // What is wrong in it is a server's to say: it is no parameter's SET either.
    return set == null ? StatementPlan.QueryPlan.anywhere(Access.READ) : set;
  }

  private StatementPlan.@Nullable TransactionPlan modes(
      StatementPlan.TransactionPlan.TransactionVerb command) {
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
    return new StatementPlan.TransactionPlan(command, "", false, List.copyOf(modes));
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
    return !oneShard && words.take("pg_export_snapshot", "(", ")")
        ? new StatementPlan.ExportSnapshot()
        : null;
  }

  private static StatementPlan refusedTwoPhase(String command) {
    return new StatementPlan.RefusedPlan(
        command + " cannot be sent through the proxy", StatementPlan.TransactionPlan.NO_TWO_PHASE);
  }
}
