package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.KeyType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A column of one table, or of one query's result, as it occurs in a statement. Rows of its table
 * matter to the statement only where its value is among each of the its pins, and where it equals
 * the value that a row has in a variable that implies it. Identity counts.
 */
public final class Variable {
  private final KeyType type;
  private final List<List<KeyExpression>> pins = new ArrayList<>();
  private final List<Variable> impliedBy = new ArrayList<>();

  Variable(KeyType type) {
    this.type = type;
  }

  public KeyType type() {
    return type;
  }

  void pin(List<KeyExpression> values) {
    pins.add(values);
  }

  /** Where this has a value, rows of {@code other} matter only if they have the same. */
  void implies(Variable other) {
    if (other != this && other.type == type) {
      other.impliedBy.add(this);
    }
  }

  /** Everything that the values of rows that matter are known to be among. */
  public List<List<KeyExpression>> allPins() {
    List<List<KeyExpression>> all = new ArrayList<>();
    Set<Variable> seen = new HashSet<>();
    Deque<Variable> open = new ArrayDeque<>(List.of(this));
    while (!open.isEmpty()) {
      Variable variable = open.pop();
      if (seen.add(variable)) {
        all.addAll(variable.pins);
        open.addAll(variable.impliedBy);
      }
    }
    return all;
  }
}
