package io.shardmark.proxy.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pairs of variables that are equal in every row that matters. */
public final class Equalities {
  private record Pair(Variable left, Variable right) {}

  private final List<Pair> pairs = new ArrayList<>();

  void add(Variable left, Variable right) {
    pairs.add(new Pair(left, right));
  }

  void addAll(Equalities others) {
    pairs.addAll(others.pairs);
  }

  /** The variables and all that equal one of them. */
  Set<Variable> closure(Set<Variable> of) {
    Set<Variable> closed = new HashSet<>(of);
    boolean grown = true;
    while (grown) {
      grown = false;
      for (Pair pair : pairs) {
        if (closed.contains(pair.left()) != closed.contains(pair.right())) {
          closed.add(pair.left());
          closed.add(pair.right());
          grown = true;
        }
      }
    }
    return closed;
  }
}
