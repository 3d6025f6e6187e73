package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Overloads.Harm;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Nested;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a statement's expressions call. */
public final class CallFacts {
  private static final Set<String> TIMES =
      Set.of("current_timestamp", "current_time", "current_date", "localtime", "localtimestamp");

  /** STABLE, but of the time or the server; age(x) is a difference to today. */
  private static final Set<String> MOMENTARY =
      Set.of(
          ("now transaction_timestamp statement_timestamp age pg_backend_pid"
                  + " txid_current pg_current_xact_id inet_server_addr inet_server_port"
                  + " pg_postmaster_start_time pg_conf_load_time")
              .split(" ", -1));

  /** Texts that date and time types read as the current time; what else they may hold. */
  private static final Pattern TIME_LITERAL =
      Pattern.compile(
          "[^a-z]*(?:now|today|tomorrow|yesterday)(?:[^a-z]|am|pm|allballs|utc|gmt|z|zulu)*");

  /** Longer texts are no times; also keeps the pattern from working long. */
  private static final int MAX_TIME_LITERAL = 60;

  /** Types of oids that are shown as names; the numbers differ between servers. */
  private static final Set<String> OID_TYPES =
      Set.of(
          ("regclass regtype regproc regprocedure regoper regoperator regrole"
                  + " regnamespace regcollation regconfig regdictionary")
              .split(" ", -1));

  /** What each server numbers for itself (PG18 §5.6 ddl-system-columns). */
  private static final Set<String> SERVER_COLUMNS =
      Set.of("ctid xmin xmax cmin cmax tableoid".split(" ", -1));

  /** Aggregates whose result does not depend on the order of the rows. */
  private static final Set<String> UNORDERED =
      Set.of(
          ("count sum min max avg bool_and bool_or every bit_and bit_or bit_xor"
                  + " stddev stddev_pop stddev_samp variance var_pop var_samp")
              .split(" ", -1));

  /** Words of the grammar that begin calls of functions of that name as well. */
  private static final Set<String> FUNCTIONS_TOO = Set.of("substring", "overlay");

  private static final Set<String> NO_FUNCTIONS =
      Set.of(
          ("in any some all array row values exists and or not when then else case"
                  + " between symmetric like ilike similar to is select from where having by"
                  + " limit offset union except intersect join lateral set returning"
                  + " distinct with conflict into default escape materialized table on using"
                  + " filter over group as operator rows cube rollup sets cast coalesce"
                  + " greatest least nullif extract overlay position substring trim treat"
                  + " normalize collation grouping xmlelement xmlforest xmlconcat xmlparse"
                  + " xmlpi xmlroot xmlserialize xmlattributes xmlexists xmltable numeric"
                  + " decimal dec varchar character char bit varying bpchar timestamp"
                  + " timestamptz time timetz interval float second for only fetch first"
                  + " next isnull notnull do update key end")
              .split(" ", -1));

  /** What functions could do that are not PostgreSQL's own. */
  public interface Others {
    /**
     * The worst that a call may do; null if there is no such function.
     *
     * @param schema null for the search path
     */
    @Nullable Harm overload(@Nullable String schema, String name);
  }

  private final Others others;
  private final Set<Functions.FunctionKind> kinds = EnumSet.noneOf(Functions.FunctionKind.class);
  private @Nullable String unknown;
  private @Nullable String different;
  private @Nullable String session;
  private @Nullable String serverColumn;
  private @Nullable String momentary;
  private boolean catalog;

  private CallFacts(Others others) {
    this.others = others;
  }

  /** Of some tokens, as if all functions were PostgreSQL's own. */
  public static CallFacts of(TokenRange tokens, Span span) {
    return of(
        tokens, List.of(new Expression(span.from(), span.to(), List.of())), (schema, name) -> null);
  }

  /**
   * @param others what functions of users and extensions could do
   */
  public static CallFacts of(TokenRange tokens, List<Expression> expressions, Others others) {
    CallFacts facts = new CallFacts(others);
    for (Expression expression : expressions) {
      for (int i = expression.from(); i < expression.to(); i++) {
        i = afterNested(expression, i);
        if (i < expression.to()) {
          facts.token(tokens, i);
        }
      }
    }
    return facts;
  }

  /** Whether a call starts at this token: a name, not a word of the grammar, and a parenthesis. */
  public static boolean isCall(TokenRange tokens, int i) {
    Token token = tokens.at(i);
    if (!token.isName() || !tokens.symbol(i + 1, "(")) {
      return false;
    }
    if (tokens.symbol(i - 1, "::") || tokens.word(i - 1, "as")) {
      return false; // a type with a modifier
    }
    boolean grammar =
        token.kind() == Token.TokenKind.WORD
            && NO_FUNCTIONS.contains(token.text())
            && !tokens.symbol(i - 1, ".");
    return !grammar;
  }

  /** The end of the query that begins here; else the same token. */
  static int afterNested(Expression expression, int i) {
    for (Nested nested : expression.nested()) {
      if (nested.open() == i) {
        return nested.close(); // its expressions are in the list too
      }
    }
    return i;
  }

  private void token(TokenRange tokens, int i) {
    Token token = tokens.at(i);
    catalog |= token.isName() && OID_TYPES.contains(token.text());
    if (isCall(tokens, i)) {
      call(tokens, i);
    } else if (tokens.symbol(i + 1, "(") && FUNCTIONS_TOO.contains(token.text())) {
      other(null, token.text());
    } else if (token.kind() == Token.TokenKind.WORD && TIMES.contains(token.text())) {
      momentary = token.text();
      differs(token.text());
    } else if (token.kind() == Token.TokenKind.WORD && token.text().equals("over")) {
      differs("the order of rows in a window");
    } else if (token.isName()
        && SERVER_COLUMNS.contains(token.text())
        && !tokens.word(i - 1, "as")) {
      serverColumn = token.text();
      differs("column " + token.text());
    } else if (LiteralText.isReplaced(token.kind())
        && token.end() - token.start() <= MAX_TIME_LITERAL) {
      String text = tokens.text(token).toLowerCase(Locale.ROOT);
      String inner = text.startsWith("e'") ? text.substring(1) : text;
      if (isMomentary(inner)) {
        momentary = inner;
        differs(inner);
      }
    }
  }

  /** Whether a time that depends on the moment may be read from the text. */
  public static boolean isMomentary(String text) {
    return text.length() <= MAX_TIME_LITERAL
        && TIME_LITERAL.matcher(text.toLowerCase(Locale.ROOT)).matches();
  }

  private void call(TokenRange tokens, int i) {
    String name = tokens.at(i).text();
    String schema = tokens.symbol(i - 1, ".") ? tokens.at(i - 2).text() : null;
    String looked = schema == null ? "pg_catalog" : schema;
    Functions.FunctionKind kind =
        switch (looked) {
          case "pg_catalog" -> Functions.kind(name);
          // The few there, such as _pg_expandarray, compute; clients' catalog queries call them.
          case "information_schema" -> Functions.FunctionKind.IMMUTABLE;
          default -> Functions.FunctionKind.UNKNOWN;
        };
    catalog |= looked.equals("information_schema") || Functions.looksAtCatalog(name);
    boolean known = other(schema, name);
    if (!known || kind != Functions.FunctionKind.UNKNOWN) {
      judge(name, kind);
    }
  }

  /**
   * Which of them is called depends on the types of the arguments: it counts as the worst. Whether
   * there is one.
   */
  private boolean other(@Nullable String schema, String name) {
    Harm harm = others.overload(schema, name);
    if (harm != null) {
      judge(
          name,
          switch (harm) {
            case NOTHING -> Functions.FunctionKind.IMMUTABLE;
            case DIFFERS -> Functions.FunctionKind.STABLE;
            case VOLATILE -> Functions.FunctionKind.VOLATILE;
            case UNKNOWN -> Functions.FunctionKind.UNKNOWN;
          });
    }
    return harm != null;
  }

  private void judge(String name, Functions.FunctionKind kind) {
    kinds.add(kind);
    if (kind == Functions.FunctionKind.VOLATILE || MOMENTARY.contains(name)) {
      momentary = name + "()";
    }
    switch (kind) {
      case UNKNOWN -> {
        unknown = unknown == null ? name : unknown;
        differs(name + "()");
      }
      case SESSION, SEQUENCE_STATE -> {
        session = name;
        differs(name + "()");
      }
      case AGGREGATE -> {
        if (!UNORDERED.contains(name)) {
          differs(name + "(), which depends on the order of the rows,");
        }
      }
      case IMMUTABLE -> {}
      default -> differs(name + "()");
    }
  }

  private void differs(String what) {
    different = different == null ? what : different;
  }

  public boolean has(Functions.FunctionKind kind) {
    return kinds.contains(kind);
  }

  /** A function that is not PostgreSQL's own, or null. */
  public @Nullable String unknown() {
    return unknown;
  }

  /** Something whose value may differ between shards, or null. */
  public @Nullable String different() {
    return different;
  }

  /** The current time, or chance: in one statement each server has its own; or null. */
  public @Nullable String momentary() {
    return momentary;
  }

  /** Whether DISTINCT ON, which leaves rows by their order, is anywhere in it. */
  public static boolean hasDistinctOn(TokenRange tokens) {
    return IntStream.range(0, tokens.size())
        .anyMatch(
            i ->
                tokens.word(i, "distinct")
                    && tokens.word(i + 1, "on")
                    && tokens.symbol(i + 2, "("));
  }

  /** Whether it asks for objects that each server numbers for itself. */
  public boolean looksAtCatalog() {
    return catalog;
  }

  /** A system column, or null. */
  public @Nullable String serverColumn() {
    return serverColumn;
  }

  /** A function on the state of a server connection, or null. */
  public @Nullable String session() {
    return session;
  }
}
