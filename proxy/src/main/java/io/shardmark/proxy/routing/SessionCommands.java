package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.StatementPlan.Discard;
import io.shardmark.proxy.routing.StatementPlan.Notification;
import io.shardmark.proxy.routing.StatementPlan.Notification.Signal;
import io.shardmark.proxy.routing.StatementPlan.SetParameter;
import io.shardmark.proxy.routing.StatementPlan.SetRoute;
import io.shardmark.proxy.routing.StatementPlan.ShowProxy;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands on the session, which the proxy itself carries out or tracks. */
final class SessionCommands {
  /** What follows from it is the server connection's, call by call. */
  private static final StatementPlan SEED =
      StatementPlan.QueryPlan.anywhere(Access.READ).with(Set.of(SessionEffect.PINS_IF_EXECUTED));

  /** Has a syntax error, which is a server's to say. */
  private static final StatementPlan WRONG = StatementPlan.QueryPlan.anywhere(Access.READ);

  private static final Set<String> ON = Set.of("on", "true", "yes", "1");

  private SessionCommands() {}

  /** The plan, or null if the statement is not one of these commands. */
  static @Nullable StatementPlan plan(TokenRange statement) {
    TokenCursor words = new TokenCursor(statement);
    return switch (words.take().text()) {
      case "set" -> set(words);
      case "select" -> words.take("shardmark", ".") ? outcome(words) : setConfig(words);
      case "reset" -> reset(words);
      case "show" -> show(words);
      case "discard" -> discard(words);
      case "deallocate" -> deallocate(words);
      case "listen" -> new Notification(Signal.LISTEN, words.name());
      case "unlisten" -> new Notification(Signal.UNLISTEN, words.take("*") ? "*" : words.name());
      case "notify" -> new Notification(Signal.NOTIFY, words.name());
      default -> null;
    };
  }

  /** The parameters that SET SESSION CHARACTERISTICS sets (PG18 sql-set-transaction). */
  private static List<String> characteristics(TokenCursor words) {
    Set<String> names = new LinkedHashSet<>();
    while (!words.done()) {
      switch (words.take().text()) {
        case "level" -> {
          names.add("default_transaction_isolation");
          if (words.take().isWord("repeatable")) {
            words.take(); // READ, which is no mode here, nor that of READ COMMITTED
          }
        }
        case "read" -> names.add("default_transaction_read_only");
        case "deferrable" -> names.add("default_transaction_deferrable");
        default -> {}
      }
    }
    return List.copyOf(names);
  }

  private static @Nullable StatementPlan set(TokenCursor words) {
    if (words.take("session", "characteristics")) {
      return new SetParameter("session characteristics", characteristics(words));
    }
    if (words.take("constraints")) {
      return new SetParameter("constraints", false, true);
    }
    boolean local = words.take("local");
    if (!local && !words.peek(1).isSymbol("=") && !words.peek(1).isWord("to")) {
      if (words.peek().isWord("session") && !words.peek(1).isWord("authorization")) {
        words.take();
      }
    }
    String special = special(words);
    if (special != null) {
      return new SetParameter(special, words.peek().isWord("default"), local);
    }
    String name = parameterName(words);
    if (!words.take("=")) {
      words.take("to");
    }
    boolean reset = words.peek().isWord("default");
    if (name.startsWith("shardmark.")) {
      return new SetRoute(name, reset ? null : words.value());
    }
    if (name.startsWith("transaction_")) {
      return mode(name, words.value());
    }
    return name.equals("seed") ? SEED : new SetParameter(name, reset, local);
  }

  /**
   * A mode of the transaction, set as a parameter; null: whether it is one is the server's to say.
   */
  private static @Nullable StatementPlan mode(String name, String value) {
    boolean on = ON.contains(value.strip().toLowerCase(Locale.ROOT));
    TransactionMode mode =
        switch (name) {
          case "transaction_isolation" -> TransactionMode.level(value).orElse(null);
          case "transaction_read_only" ->
              on ? TransactionMode.READ_ONLY : TransactionMode.READ_WRITE;
          default -> on ? TransactionMode.DEFERRABLE : TransactionMode.NOT_DEFERRABLE;
        };
    return mode == null
        ? null
        : new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION, mode);
  }

  /**
   * {@code SELECT set_config('name', 'value', false)}, if that is all, or with {@code $1} for the
   * value; dumps begin with it, and with {@code SELECT set_config(name, 'value', false) FROM
   * pg_settings WHERE name = '...'}.
   */
  private static @Nullable StatementPlan setConfig(TokenCursor words) {
    words.take("pg_catalog", ".");
    if (!words.take("set_config", "(")) {
      return null;
    }
    boolean ofSettings = words.take("name");
    if (!ofSettings && words.peek().kind() != TokenKind.STRING) {
      return null;
    }
    String name = ofSettings ? "" : words.value();
    boolean plain = words.take(",");
    boolean bound = words.peek().kind() == TokenKind.PARAMETER;
    plain &= bound || words.peek().kind() == TokenKind.STRING;
    words.take();
    boolean local = words.peek(1).isWord("true");
    plain &= words.take(",", local ? "true" : "false") && words.take(")");
    if (ofSettings) {
      plain &= words.take("from");
      words.take("pg_catalog", ".");
      plain &= words.take("pg_settings", "where", "name", "=");
      plain &= words.peek().kind() == TokenKind.STRING;
      name = words.value();
    }
    name = name.toLowerCase(Locale.ROOT);
    return plain
            && words.done()
            && !name.startsWith("shardmark.")
            && !name.startsWith("transaction_")
            && !name.equals("seed")
        ? new SetParameter(name, false, local, true)
        : null;
  }

  private static @Nullable StatementPlan outcome(TokenCursor words) {
    if (!words.take("outcome", "(")) {
      return null;
    }
    boolean literal = words.peek().kind() == TokenKind.STRING;
    String transaction = words.value();
    return literal && words.take(")") && words.done()
        ? new StatementPlan.AskOutcome(transaction)
        : new StatementPlan.RefusedPlan(
            "shardmark.outcome stands alone in a SELECT, and has one literal in its parentheses",
            "SELECT shardmark.outcome('...')");
  }

  /** Forms of SET that have words for a name. */
  private static @Nullable String special(TokenCursor words) {
    if (words.take("time", "zone")) {
      return "timezone";
    }
    if (words.take("session", "authorization")) {
      return "session_authorization";
    }
    if (words.take("xml", "option")) {
      return "xmloption";
    }
    boolean named = words.peek(1).isSymbol("=") || words.peek(1).isWord("to");
    if (!named && words.take("names")) {
      return "client_encoding";
    }
    if (!named && words.take("schema")) {
      return "search_path";
    }
    return !named && words.take("role") ? "role" : null;
  }

  private static String parameterName(TokenCursor words) {
    StringBuilder name = new StringBuilder(words.name());
    while (words.take(".")) {
      name.append('.').append(words.name());
    }
    return name.toString().toLowerCase(Locale.ROOT);
  }

  private static StatementPlan reset(TokenCursor words) {
    if (words.take("all")) {
      return new SetParameter("all", true, false);
    }
    String special = special(words);
    String name = special == null ? parameterName(words) : special;
    return name.startsWith("shardmark.")
        ? new SetRoute(name, null)
        : new SetParameter(name, true, false);
  }

  private static StatementPlan show(TokenCursor words) {
    if (words.take("shard", "map")) {
      return new ShowProxy("shard map");
    }
    if (words.peek().isWord("shardmark")) {
      String name = parameterName(words);
      return name.equals("shardmark.transaction") && words.done()
          ? new StatementPlan.ShowTransaction()
          : new ShowProxy(name);
    }
    return StatementPlan.QueryPlan.anywhere(Access.READ);
  }

  private static StatementPlan discard(TokenCursor words) {
    StatementPlan.Discard.@Nullable DiscardScope scope =
        switch (words.take().text()) {
          case "all" -> StatementPlan.Discard.DiscardScope.ALL;
          case "plans" -> StatementPlan.Discard.DiscardScope.PLANS;
          case "sequences" -> StatementPlan.Discard.DiscardScope.SEQUENCES;
          case "temp", "temporary" -> StatementPlan.Discard.DiscardScope.TEMP;
          default -> null;
        };
    return scope == null || !words.done() ? WRONG : new Discard(scope, "");
  }

  private static StatementPlan deallocate(TokenCursor words) {
    if (words.peek(1).isName()) {
      words.take("prepare");
    }
    boolean all = words.peek().isWord("all");
    String name = words.name();
    return name.isEmpty() || !words.done()
        ? WRONG
        : new Discard(StatementPlan.Discard.DiscardScope.STATEMENTS, all ? "" : name);
  }
}
