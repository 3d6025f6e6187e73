package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Scope.Found;
import io.shardmark.proxy.routing.Syntax.Expression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads conditions: what they fix the sharding columns to, and which columns they make equal. Only
 * whole conjuncts count, so a misread operator can hide a route but never invent one.
 */
final class Predicates {
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
    for (int[] conjunct : conjuncts(condition.from(), condition.to())) {
      if (!equality(conjunct[0], conjunct[1], scope, constrained, equal)) {
        values(conjunct[0], conjunct[1], scope)
            .forEach(
                (variable, keys) -> {
                  if (constrained.test(variable)) {
                    variable.pin(keys);
                  }
                });
      }
    }
  }

  /** The ranges that AND connects, with parentheses around a conjunct opened. */
  List<int[]> conjuncts(int from, int to) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    List<int[]> parts = parts(start, end, "or");
    if (parts.size() > 1) {
      return List.of(new int[] {start, end});
    }
    parts = parts(start, end, "and");
    if (parts.size() == 1) {
      return parts;
    }
    List<int[]> flat = new ArrayList<>();
    for (int[] part : parts) {
      flat.addAll(conjuncts(part[0], part[1]));
    }
    return flat;
  }

  /** Splits at a word outside parentheses, CASE and BETWEEN. */
  private List<int[]> parts(int from, int to, String word) {
    List<int[]> parts = new ArrayList<>();
    int start = from;
    int cases = 0;
    int betweens = 0;
    for (int i = from; i < to; i = tokens.skip(i)) {
      if (tokens.word(i, "case")) {
        cases++;
      } else if (tokens.word(i, "end")) {
        cases--;
      } else if (tokens.word(i, "between")) {
        betweens++;
      } else if (tokens.word(i, "and") && betweens > 0) {
        betweens--;
      } else if (cases == 0 && tokens.word(i, word)) {
        parts.add(new int[] {start, i});
        start = i + 1;
      }
    }
    parts.add(new int[] {start, to});
    return parts;
  }

  /** {@code column = column}. */
  private boolean equality(
      int from, int to, Scope scope, Predicate<Variable> constrained, Equalities equal) {
    int sign = symbolAt(from, to, "=");
    if (sign < 0) {
      return false;
    }
    Found left = operands.column(from, sign, scope);
    Found right = operands.column(sign + 1, to, scope);
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

  /** The one operator of that name outside parentheses; -1 if there is none or several. */
  private int symbolAt(int from, int to, String symbol) {
    int found = -1;
    for (int i = from; i < to; i = tokens.skip(i)) {
      if (tokens.symbol(i, symbol)) {
        if (found >= 0) {
          return -1;
        }
        found = i;
      }
    }
    return found;
  }

  /** For columns of this query what the condition restricts their values to. */
  private Map<Variable, List<KeyExpression>> values(int from, int to, Scope scope) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    List<int[]> alternatives = parts(start, end, "or");
    if (alternatives.size() > 1) {
      return union(alternatives, scope);
    }
    List<int[]> all = parts(start, end, "and");
    if (all.size() > 1) {
      Map<Variable, List<KeyExpression>> sum = new LinkedHashMap<>();
      for (int[] part : all) {
        values(part[0], part[1], scope)
            .forEach((k, v) -> sum.merge(k, v, (a, b) -> a.size() <= b.size() ? a : b));
      }
      return sum;
    }
    return comparison(start, end, scope);
  }

  /** Only what every alternative restricts is restricted. */
  private Map<Variable, List<KeyExpression>> union(List<int[]> alternatives, Scope scope) {
    Map<Variable, List<KeyExpression>> union = null;
    for (int[] part : alternatives) {
      Map<Variable, List<KeyExpression>> values = values(part[0], part[1], scope);
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
    List<KeyExpression> sum = new ArrayList<>(a);
    for (KeyExpression key : b) {
      if (!sum.contains(key)) {
        sum.add(key);
      }
    }
    return sum;
  }

  private Map<Variable, List<KeyExpression>> comparison(int from, int to, Scope scope) {
    int sign = symbolAt(from, to, "=");
    if (sign > from) {
      return equalTo(from, sign, to, scope);
    }
    for (int i = from + 1; i < to; i = tokens.skip(i)) {
      if (tokens.word(i, "in") && tokens.symbol(i + 1, "(") && tokens.partner(i + 1) == to - 1) {
        return inList(from, i, to, scope);
      }
    }
    return new LinkedHashMap<>();
  }

  private Map<Variable, List<KeyExpression>> equalTo(int from, int sign, int to, Scope scope) {
    if (tokens.symbol(from, "(") && tokens.symbol(sign + 1, "(")) {
      return rows(from, sign, to, scope);
    }
    Found left = operands.column(from, sign, scope);
    if (left != null) {
      return of(left, valueOrAny(sign + 1, to, left));
    }
    Found right = operands.column(sign + 1, to, scope);
    if (right == null || right.variable() == null) {
      return new LinkedHashMap<>();
    }
    KeyExpression value = operands.value(from, sign, right.variable().type());
    return of(right, value == null ? null : List.of(value));
  }

  /** {@code (a, b) = (1, 2)}. */
  private Map<Variable, List<KeyExpression>> rows(int from, int sign, int to, Scope scope) {
    Map<Variable, List<KeyExpression>> sum = new LinkedHashMap<>();
    if (tokens.partner(from) != sign - 1 || tokens.partner(sign + 1) != to - 1) {
      return sum;
    }
    List<int[]> left = tokens.parts(from + 1, sign - 1);
    List<int[]> right = tokens.parts(sign + 2, to - 1);
    for (int i = 0; i < left.size() && left.size() == right.size(); i++) {
      Found column = operands.column(left.get(i)[0], left.get(i)[1], scope);
      if (column != null && column.variable() != null) {
        KeyExpression value =
            operands.value(right.get(i)[0], right.get(i)[1], column.variable().type());
        sum.putAll(of(column, value == null ? null : List.of(value)));
      }
    }
    return sum;
  }

  private static Map<Variable, List<KeyExpression>> of(
      Found column, @Nullable List<KeyExpression> values) {
    Map<Variable, List<KeyExpression>> map = new LinkedHashMap<>();
    Variable variable = column.variable();
    if (!column.outer() && variable != null && values != null) {
      map.put(variable, values);
    }
    return map;
  }

  private @Nullable List<KeyExpression> valueOrAny(int from, int to, Found column) {
    Variable variable = column.variable();
    if (variable == null) {
      return null;
    }
    boolean any = tokens.word(from, "any") || tokens.word(from, "some");
    if (any && tokens.symbol(from + 1, "(") && tokens.partner(from + 1) == to - 1) {
      return array(from + 2, to - 1, variable);
    }
    KeyExpression value = operands.value(from, to, variable.type());
    return value == null ? null : List.of(value);
  }

  private static final Set<String> ARRAY_TYPES =
      Set.of("int integer bigint smallint int2 int4 int8 text varchar".split(" ", -1));

  /** {@code $1}, {@code $1::int[]}, {@code ARRAY[1, 2]}. */
  private @Nullable List<KeyExpression> array(int from, int to, Variable variable) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    if (tokens.word(start, "array") && tokens.partner(start + 1) == end - 1) {
      return allValues(start + 2, end - 1, variable);
    }
    boolean cast =
        end - start == 5
            && tokens.symbol(start + 1, "::")
            && ARRAY_TYPES.contains(tokens.at(start + 2).text())
            && tokens.symbol(start + 3, "[");
    if (tokens.at(start).kind() != Token.Kind.PARAMETER || !(cast || end - start == 1)) {
      return null;
    }
    KeyExpression key = operands.value(start, start + 1, variable.type());
    return key instanceof KeyExpression.Parameter parameter
        ? List.of(new KeyExpression.ArrayParameter(parameter.index()))
        : null;
  }

  private Map<Variable, List<KeyExpression>> inList(int from, int in, int to, Scope scope) {
    Found column = operands.column(from, in, scope);
    Variable variable = column == null ? null : column.variable();
    if (column == null || variable == null) {
      return new LinkedHashMap<>();
    }
    return of(column, allValues(in + 2, to - 1, variable));
  }

  private @Nullable List<KeyExpression> allValues(int from, int to, Variable variable) {
    List<KeyExpression> values = new ArrayList<>();
    for (int[] part : tokens.parts(from, to)) {
      KeyExpression value = operands.value(part[0], part[1], variable.type());
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }
}
