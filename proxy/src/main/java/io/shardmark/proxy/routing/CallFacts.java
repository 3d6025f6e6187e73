package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Functions.Kind;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Nested;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a statement's expressions call. */
final class CallFacts {
  private static final Set<String> TIMES =
      Set.of("current_timestamp", "current_time", "current_date", "localtime", "localtimestamp");
  private static final Set<String> TIME_LITERALS = Set.of("now", "today", "tomorrow", "yesterday");

  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
  private @Nullable String unknown;
  private @Nullable String different;
  private @Nullable String session;

  static CallFacts of(String sql, TokenRange tokens, List<Expression> expressions) {
    CallFacts facts = new CallFacts();
    for (Expression expression : expressions) {
      for (int i = expression.from(); i < expression.to(); i++) {
        i = afterNested(expression, i);
        if (i < expression.to()) {
          facts.token(sql, tokens, i);
        }
      }
    }
    return facts;
  }

  private static int afterNested(Expression expression, int i) {
    for (Nested nested : expression.nested()) {
      if (nested.open() == i) {
        return nested.close(); // its expressions are in the list too
      }
    }
    return i;
  }

  private void token(String sql, TokenRange tokens, int i) {
    Token token = tokens.at(i);
    if (CallScan.isCall(tokens, i)) {
      call(tokens, i);
    } else if (token.kind() == Token.Kind.WORD && TIMES.contains(token.text())) {
      differs(token.text());
    } else if (token.kind() == Token.Kind.STRING) {
      String text =
          LiteralText.unquoted(sql, token.start(), token.end()).strip().toLowerCase(Locale.ROOT);
      if (TIME_LITERALS.contains(text)) {
        differs("'" + text + "'");
      }
    }
  }

  private void call(TokenRange tokens, int i) {
    String name = tokens.at(i).text();
    String schema = tokens.symbol(i - 1, ".") ? tokens.at(i - 2).text() : "pg_catalog";
    Kind kind =
        switch (schema) {
          case "pg_catalog" -> Functions.kind(name);
          // The few there, such as _pg_expandarray, compute; clients' catalog queries call them.
          case "information_schema" -> Kind.IMMUTABLE;
          default -> Kind.UNKNOWN;
        };
    kinds.add(kind);
    switch (kind) {
      case UNKNOWN -> {
        unknown = unknown == null ? name : unknown;
        differs(name + "()");
      }
      case SESSION -> {
        session = name;
        differs(name + "()");
      }
      case IMMUTABLE, AGGREGATE, WINDOW -> {}
      default -> differs(name + "()");
    }
  }

  private void differs(String what) {
    different = different == null ? what : different;
  }

  boolean has(Kind kind) {
    return kinds.contains(kind);
  }

  /** A function that is not PostgreSQL's own, or null. */
  @Nullable String unknown() {
    return unknown;
  }

  /** Something whose value may differ between shards, or null. */
  @Nullable String different() {
    return different;
  }

  /** A function on the state of a server connection, or null. */
  @Nullable String session() {
    return session;
  }
}
