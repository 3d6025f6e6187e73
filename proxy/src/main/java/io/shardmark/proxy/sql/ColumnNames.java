package io.shardmark.proxy.sql;

import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of columns in a select list: which last word is a label, and which names an expression
 * without one may get (PG18 FigureColname). Where that matters a server is asked.
 */
public record ColumnNames(TokenRange tokens) {
  /** Key words that are labels only after AS, and words that end an expression alone. */
  private static final Set<String> NO_LABEL =
      Set.of(
          ("null true false end default all any some not and or in is like isnull notnull"
                  + " current_date current_timestamp localtimestamp array as char character create day"
                  + " except fetch filter for from grant group having hour intersect into limit minute"
                  + " month nchar offset on order over overlaps precision returning second to union"
                  + " varying where window with within without year")
              .split(" ", -1));

  /** Reserved words after which an operand follows, or an expression goes on. */
  private static final Set<String> BEFORE_OPERAND =
      Set.of(
          ("all any some not and or in is like ilike similar to from collate distinct case when"
                  + " then else symmetric asymmetric between using as select default")
              .split(" ", -1));

  /** Names of columns that are not in the text: those of types and of functions for words. */
  private static final Set<String> UNWRITTEN =
      Set.of(
          ("?column? int2 int4 int8 float4 float8 bool bpchar varchar numeric timestamp timestamptz"
                  + " time timetz bit varbit date_part btrim ltrim rtrim timezone text"
                  + " pg_collation_for is_normalized similar_to_escape like_escape overlaps")
              .split(" ", -1));

  /** Whether the last token of a part of a select list is its label, without AS before it. */
  boolean isBareLabel(int from, int last) {
    Token token = tokens.at(last);
    if (!token.isName() || last <= from || !endsOperand(from, last - 1)) {
      return false;
    }
    if (token.kind() == Token.TokenKind.QUOTED) {
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
            && Stream.of("like", "ilike", "similar")
                .anyMatch(like -> tokens.hasWord(Span.of(from, i), like)));
  }

  /** The name of the column that an expression without a label makes, if it is a column itself. */
  public @Nullable String of(Span expression) {
    Span span = tokens.stripped(expression);
    Token first = tokens.at(span.from());
    boolean column =
        span.size() > 0
            && first.isName()
            && tokens.afterName(span.from()) == span.to()
            && !Set.of("null", "true", "false", "default").contains(first.text());
    return column ? tokens.at(span.to() - 1).text() : null;
  }

  /** Whether a column whose name is not known may have this one. */
  boolean mayBe(String name, Span expression) {
    return UNWRITTEN.contains(name)
        || IntStream.range(expression.from(), expression.to())
            .mapToObj(tokens::at)
            .anyMatch(
                token ->
                    token.kind() == Token.TokenKind.OTHER_STRING
                        || (token.isName() && token.text().equals(name)));
  }
}
