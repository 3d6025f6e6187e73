package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Syntax.Expression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads conditions: what they fix the sharding columns to, and which columns they make equal. Only
 * whole conjuncts count, so a misread operator can hide a route but never invent one.
 */
public final class Predicates {
  private final Operands operands;
  private final TokenRange tokens;

  Predicates(Operands operands) {
    this.operands = operands;
    this.tokens = operands.tokens();
  }

  /**
   * Takes a condition into account.
   *
   * @param constrained whether rows of a variable's table matter only if the condition holds
   * @param equal gets the pairs of columns that the condition makes equal
   */
  void apply(Expression condition, Scope scope, Predicate<Variable> constrained, Equalities equal) {
    for (Span conjunct : conjuncts(condition)) {
      if (!equality(conjunct, scope, constrained, equal)) {
        values(conjunct, scope)
            .forEach(
                (variable, keys) -> {
                  if (constrained.test(variable)) {
                    variable.pin(keys);
                  }
                });
      }
    }
  }

  /** What AND connects, with parentheses around a conjunct opened. */
  public List<Span> conjuncts(Span condition) {
    Span stripped = tokens.stripped(condition);
    List<Span> parts = parts(stripped, "and");
    return parts.size() == 1 || parts(stripped, "or").size() > 1
        ? List.of(stripped)
        : parts.stream().flatMap(part -> conjuncts(part).stream()).toList();
  }

  /** Splits at a word outside parentheses, CASE and BETWEEN. */
  private List<Span> parts(Span span, String word) {
    List<Span> parts = new ArrayList<>();
    int start = span.from();
    int cases = 0;
    int betweens = 0;
    for (int i = span.from(); i < span.to(); i = tokens.skip(i)) {
      if (tokens.word(i, "case")) {
        cases++;
      } else if (tokens.word(i, "end")) {
        cases--;
      } else if (tokens.word(i, "between")) {
        betweens++;
      } else if (tokens.word(i, "and") && betweens > 0) {
        betweens--;
      } else if (cases == 0 && tokens.word(i, word)) {
        parts.add(Span.of(start, i));
        start = i + 1;
      }
    }
    parts.add(Span.of(start, span.to()));
    return parts;
  }

  /** {@code column = column}. */
  private boolean equality(
      Span condition, Scope scope, Predicate<Variable> constrained, Equalities equal) {
    int sign = equalsSign(condition);
    Found left = sign < 0 ? null : operands.column(Span.of(condition.from(), sign), scope);
    Found right = sign < 0 ? null : operands.column(Span.of(sign + 1, condition.to()), scope);
    if (left == null || right == null) {
      return false;
    }
    link(left, right, constrained, equal);
    return true;
  }

  /** Two columns are equal in every row that matters. */
  void link(Found left, Found right, Predicate<Variable> constrained, Equalities equal) {
    Variable first = left.variable();
    Variable second = right.variable();
    if (first == null || second == null || first.type() != second.type()) {
      return;
    }
    equal.add(first, second);
    if (!left.outer() && constrained.test(first)) {
      second.implies(first);
    }
    if (!right.outer() && constrained.test(second)) {
      first.implies(second);
    }
  }

  /** The one = outside parentheses; -1 if there is none or several. */
  private int equalsSign(Span span) {
    int sign = tokens.find(span, "=");
    boolean one = sign < span.to() && tokens.find(Span.of(sign + 1, span.to()), "=") >= span.to();
    return one ? sign : -1;
  }

  /** For columns of this query what the condition restricts their values to. */
  private Map<Variable, List<KeyExpression>> values(Span condition, Scope scope) {
    Span stripped = tokens.stripped(condition);
    List<Span> alternatives = parts(stripped, "or");
    if (alternatives.size() > 1) {
      return union(alternatives, scope);
    }
    List<Span> all = parts(stripped, "and");
    if (all.size() == 1) {
      return comparison(stripped, scope);
    }
    Map<Variable, List<KeyExpression>> sum = new LinkedHashMap<>();
    for (Span part : all) {
      values(part, scope)
          .forEach((k, v) -> sum.merge(k, v, (a, b) -> a.size() <= b.size() ? a : b));
    }
    return sum;
  }

  /** Only what every alternative restricts is restricted. */
  private Map<Variable, List<KeyExpression>> union(List<Span> alternatives, Scope scope) {
    Map<Variable, List<KeyExpression>> union = null;
    for (Span part : alternatives) {
      Map<Variable, List<KeyExpression>> values = values(part, scope);
      if (union == null) {
        union = values;
      } else {
        union.keySet().retainAll(values.keySet());
        union.replaceAll((k, v) -> joined(v, values.getOrDefault(k, List.of())));
      }
    }
    return union == null ? Map.of() : union;
  }

  private static List<KeyExpression> joined(List<KeyExpression> a, List<KeyExpression> b) {
    return Stream.concat(a.stream(), b.stream()).distinct().toList();
  }

  private Map<Variable, List<KeyExpression>> comparison(Span condition, Scope scope) {
    int from = condition.from();
    int to = condition.to();
    int sign = equalsSign(condition);
    if (sign > from) {
      return equalTo(Span.of(from, sign), Span.of(sign + 1, to), scope);
    }
    for (int i = from + 1; i < to; i = tokens.skip(i)) {
      if (tokens.word(i, "in") && tokens.symbol(i + 1, "(") && tokens.partner(i + 1) == to - 1) {
        Span list = Span.of(i + 2, to - 1);
        return of(operands.column(Span.of(from, i), scope), type -> allValues(list, type));
      }
    }
    return new LinkedHashMap<>();
  }

  private Map<Variable, List<KeyExpression>> equalTo(Span left, Span right, Scope scope) {
    if (tokens.symbol(left.from(), "(") && tokens.symbol(right.from(), "(")) {
      return rows(left, right, scope);
    }
    Found column = operands.column(left, scope);
    return column != null
        ? of(column, type -> valueOrAny(right, type))
        : of(operands.column(right, scope), type -> value(left, type));
  }

  /** {@code (a, b) = (1, 2)}. */
  private Map<Variable, List<KeyExpression>> rows(Span left, Span right, Scope scope) {
    Map<Variable, List<KeyExpression>> sum = new LinkedHashMap<>();
    if (tokens.partner(left.from()) != left.to() - 1
        || tokens.partner(right.from()) != right.to() - 1) {
      return sum;
    }
    List<Span> columns = tokens.parts(left.from() + 1, left.to() - 1);
    List<Span> values = tokens.parts(right.from() + 1, right.to() - 1);
    for (int i = 0; i < columns.size() && columns.size() == values.size(); i++) {
      Span value = values.get(i);
      sum.putAll(of(operands.column(columns.get(i), scope), type -> value(value, type)));
    }
    return sum;
  }

  /**
   * @param values that it is restricted to, by its type; null if they are not known
   */
  private static Map<Variable, List<KeyExpression>> of(
      @Nullable Found column, Function<KeyType, @Nullable List<KeyExpression>> values) {
    Map<Variable, List<KeyExpression>> map = new LinkedHashMap<>();
    Variable variable = column == null ? null : column.variable();
    List<KeyExpression> keys = variable == null ? null : values.apply(variable.type());
    if (column != null && !column.outer() && variable != null && keys != null) {
      map.put(variable, keys);
    }
    return map;
  }

  private @Nullable List<KeyExpression> value(Span span, KeyType type) {
    KeyExpression value = operands.value(span, type);
    return value == null ? null : List.of(value);
  }

  private @Nullable List<KeyExpression> valueOrAny(Span span, KeyType type) {
    int from = span.from();
    boolean any = tokens.word(from, "any") || tokens.word(from, "some");
    return any && tokens.symbol(from + 1, "(") && tokens.partner(from + 1) == span.to() - 1
        ? array(tokens.stripped(Span.of(from + 2, span.to() - 1)), type)
        : value(span, type);
  }

  private static final Set<String> ARRAY_TYPES =
      Set.of("int integer bigint smallint int2 int4 int8 text varchar".split(" ", -1));

  /** {@code $1}, {@code $1::int[]}, {@code ARRAY[1, 2]}. */
  private @Nullable List<KeyExpression> array(Span span, KeyType type) {
    int start = span.from();
    int end = span.to();
    if (tokens.word(start, "array") && tokens.partner(start + 1) == end - 1) {
      return allValues(Span.of(start + 2, end - 1), type);
    }
    boolean cast =
        span.size() == 5
            && tokens.symbol(start + 1, "::")
            && ARRAY_TYPES.contains(tokens.at(start + 2).text())
            && tokens.symbol(start + 3, "[");
    if (tokens.at(start).kind() != Token.TokenKind.PARAMETER || !(cast || span.size() == 1)) {
      return null;
    }
    KeyExpression key = operands.value(Span.of(start, start + 1), type);
    return key instanceof KeyExpression.Parameter parameter
        ? List.of(new KeyExpression.ArrayParameter(parameter.index()))
        : null;
  }

  private @Nullable List<KeyExpression> allValues(Span list, KeyType type) {
    List<KeyExpression> values = new ArrayList<>();
    for (Span part : tokens.parts(list.from(), list.to())) {
      KeyExpression value = operands.value(part, type);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values.isEmpty() ? null : values;
  }
}
