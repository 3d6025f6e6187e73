package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Token.Kind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of columns in a select list: which last word is a label, and the name PostgreSQL gives
 * to an expression without one (PG18 FigureColname). ORDER BY, GROUP BY and enclosing queries name
 * columns by them.
 */
final class ColumnNames {
  /** What PostgreSQL calls an expression that it finds no name for. */
  private static final String NONE = "?column?";

  /** Key words that are labels only behind AS, and words that end an expression by themselves. */
  private static final Set<String> NO_LABEL =
      Set.of(
          ("null true false end default all any some not and or in is like isnull notnull"
                  + " current_date current_timestamp localtimestamp array as char character create"
                  + " day except fetch filter for from grant group having hour intersect into limit"
                  + " minute month nchar offset on order over overlaps precision returning second to"
                  + " union varying where window with within without year")
              .split(" ", -1));

  /** Reserved words behind which an operand follows, or an expression goes on. */
  private static final Set<String> BEFORE_OPERAND =
      Set.of(
          ("all any some not and or in is like ilike similar to from collate distinct case when"
                  + " then else symmetric asymmetric between using as select default")
              .split(" ", -1));

  /** Words of the grammar between operands: what they make has no name. */
  private static final Set<String> OPERATORS =
      Set.of(
          "and or not is in like ilike similar between isnull notnull overlaps distinct"
              .split(" ", -1));

  /** Written like a call, but their columns have other names, or names that differ by version. */
  private static final Set<String> NOT_BY_WORD =
      Set.of(
          ("cast extract trim treat not xmlserialize xmlparse xmlroot xmlpi xmlexists interval"
                  + " timestamp timestamptz time timetz numeric decimal dec char character varchar"
                  + " bpchar bit float in any some all operator exists array row select values")
              .split(" ", -1));

  /** Names of columns that do not stand in the text: those of types and of functions for words. */
  private static final Set<String> UNWRITTEN =
      Set.of(
          ("int2 int4 int8 float4 float8 bool bpchar varchar numeric timestamp timestamptz time"
                  + " timetz bit varbit date_part btrim ltrim rtrim timezone text pg_collation_for"
                  + " is_normalized similar_to_escape like_escape overlaps")
              .split(" ", -1));

  private final TokenRange tokens;

  ColumnNames(TokenRange tokens) {
    this.tokens = tokens;
  }

  /** Whether the last token of a part of a select list is its label, without AS before it. */
  boolean isBareLabel(int from, int last) {
    Token token = tokens.at(last);
    if (!token.isName() || last <= from || !endsOperand(from, last - 1)) {
      return false;
    }
    if (token.kind() == Kind.QUOTED) {
      return true;
    }
    boolean zone =
        token.text().equals("zone")
            && tokens.word(last - 1, "time")
            && (tokens.word(last - 2, "with") || tokens.word(last - 2, "without"));
    boolean test = tokens.word(last - 2, "is") || tokens.word(last - 2, "not");
    return !zone && !NO_LABEL.contains(token.text()) && !(test && isTest(last - 1));
  }

  /** {@code IS NFC NORMALIZED}, {@code IS JSON OBJECT}. */
  private boolean isTest(int i) {
    return Set.of("nfc", "nfd", "nfkc", "nfkd", "json").contains(tokens.at(i).text());
  }

  private boolean endsOperand(int from, int i) {
    Token token = tokens.at(i);
    return switch (token.kind()) {
      case QUOTED,
          INTEGER,
          NUMBER,
          STRING,
          ESCAPED_STRING,
          DOLLAR_STRING,
          OTHER_STRING,
          PARAMETER ->
          true;
      case WORD -> tokens.symbol(i - 1, ".") || !expectsOperand(from, i);
      case PUNCTUATION ->
          token.text().equals("]")
              || (token.text().equals(")") && !tokens.word(tokens.partner(i) - 1, "operator"));
      default -> false;
    };
  }

  private boolean expectsOperand(int from, int i) {
    String word = tokens.at(i).text();
    return BEFORE_OPERAND.contains(word)
        || (word.equals("zone") && tokens.word(i - 1, "time") && tokens.word(i - 2, "at"))
        || (word.equals("over") && tokens.symbol(i - 1, ")"))
        || (word.equals("escape")
            && (CallScan.hasWord(tokens, from, i, "like")
                || CallScan.hasWord(tokens, from, i, "ilike")
                || CallScan.hasWord(tokens, from, i, "similar")));
  }

  /**
   * The name of the column that an expression without a label makes: a column's or function's,
   * which a cast keeps, or that of an operation. Null for others, whose names only a server knows.
   */
  @Nullable String of(int from, int to) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    if (end <= start || isQuery(start)) {
      return null;
    }
    if (isOperation(start, end)) {
      return NONE;
    }
    for (int i = start + 1; i < end; i = tokens.skip(i)) {
      if (tokens.symbol(i, "::") || tokens.word(i, "collate")) {
        return isColumn(start, i) ? tokens.at(i - 1).text() : call(start, i);
      }
    }
    return isColumn(start, end) ? tokens.at(end - 1).text() : call(start, end);
  }

  /** Whether a column whose name is not known may have this one. */
  boolean mayBe(String name, int from, int to) {
    if (UNWRITTEN.contains(name)) {
      return true;
    }
    for (int i = from; i < to; i++) {
      Token token = tokens.at(i);
      if (token.kind() == Kind.OTHER_STRING || (token.isName() && token.text().equals(name))) {
        return true;
      }
    }
    return false;
  }

  private boolean isQuery(int start) {
    return Set.of("select", "values", "with", "table").contains(tokens.at(start).text());
  }

  /** {@code a}, {@code t.a}, {@code (t).a}. */
  private boolean isColumn(int start, int end) {
    Token only = tokens.at(start);
    if (end - start == 1) {
      return only.kind() == Kind.QUOTED
          || (only.kind() == Kind.WORD
              && !Set.of("null", "true", "false", "default").contains(only.text()));
    }
    boolean composite = tokens.symbol(start, "(");
    if (!composite && !only.isName()) {
      return false;
    }
    int i = tokens.skip(start);
    while (tokens.symbol(i, ".") && tokens.at(i + 1).isName()) {
      i += 2;
    }
    return i == end && !(composite && i == tokens.skip(start));
  }

  /** {@code name(...)}, {@code schema.name(...) FILTER (...)}. */
  private @Nullable String call(int start, int end) {
    int at = start;
    while (tokens.at(at).isName() && tokens.symbol(at + 1, ".")) {
      at += 2;
    }
    if (!tokens.at(at).isName() || !tokens.symbol(at + 1, "(")) {
      return null;
    }
    boolean word = tokens.at(at).kind() == Kind.WORD && at == start;
    if (word && NOT_BY_WORD.contains(tokens.at(at).text())) {
      return null;
    }
    int i = tokens.partner(at + 1) + 1;
    if (tokens.word(i, "within") && tokens.word(i + 1, "group")) {
      i = tokens.skip(i + 2);
    }
    if (tokens.word(i, "filter")) {
      i = tokens.skip(i + 1);
    }
    if (tokens.word(i, "over")) {
      i = tokens.skip(i + 1);
    }
    return i == end ? tokens.at(at).text() : null;
  }

  /** Whether operands are connected, outside parentheses and CASE. */
  private boolean isOperation(int start, int end) {
    int cases = 0;
    for (int i = start; i < end; i = tokens.skip(i)) {
      Token token = tokens.at(i);
      boolean dotted = tokens.symbol(i - 1, ".");
      if (tokens.word(i, "case")) {
        cases++;
      } else if (tokens.word(i, "end")) {
        cases--;
      } else if (cases == 0 && !dotted) {
        boolean operator = token.kind() == Kind.OPERATOR && !token.text().equals("::");
        boolean word = token.kind() == Kind.WORD && OPERATORS.contains(token.text());
        if (operator || word || (tokens.word(i, "operator") && tokens.symbol(i + 1, "("))) {
          return true;
        }
      }
    }
    return false;
  }
}
