package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.JoinKind;
import java.util.HashSet;
import java.util.Set;

/** The tables of FROM as a tree of joins, to find out where the joined rows are. */
public sealed interface FromNode {
  /** The variables of all tables below. */
  Set<Variable> variables();

  record Leaf(Placement placement, Set<Variable> variables) implements FromNode {}

  record Join(JoinKind kind, FromNode left, FromNode right, Equalities on) implements FromNode {
    @Override
    public Set<Variable> variables() {
      Set<Variable> all = new HashSet<>(left.variables());
      all.addAll(right.variables());
      return all;
    }
  }

  /**
   * @param kept equal in all rows of the join
   * @param known equal where both are not NULL
   */
  record PlacedTable(Placement placement, Equalities kept, Equalities known) {}

  /** Where the rows of a tree are, given what WHERE makes equal. */
  static PlacedTable place(FromNode node, Equalities where) {
    if (node instanceof Leaf leaf) {
      return new PlacedTable(leaf.placement(), new Equalities(), new Equalities());
    }
    Join join = (Join) node;
    PlacedTable left = place(join.left(), where);
    PlacedTable right = place(join.right(), where);
    Equalities known = new Equalities();
    known.addAll(left.known());
    known.addAll(right.known());
    known.addAll(join.on());
    Equalities kept = new Equalities();
    if (join.kind() == JoinKind.INNER || join.kind() == JoinKind.LEFT) {
      kept.addAll(left.kept());
    }
    if (join.kind() == JoinKind.INNER || join.kind() == JoinKind.RIGHT) {
      kept.addAll(right.kept());
    }
    if (join.kind() == JoinKind.INNER) {
      kept.addAll(join.on());
    }
    Equalities all = new Equalities();
    all.addAll(known);
    all.addAll(where);
    Equalities ofLeft = new Equalities();
    ofLeft.addAll(left.known());
    ofLeft.addAll(where);
    return new PlacedTable(
        placement(join, left.placement(), right.placement(), all, ofLeft), kept, known);
  }

  private static Placement placement(
      Join join, Placement left, Placement right, Equalities all, Equalities ofLeft) {
    JoinKind kind = join.kind();
    if (!(left instanceof Placement.Split first)) {
      boolean leftKept = kind == JoinKind.LEFT || kind == JoinKind.FULL;
      return right instanceof Placement.Split split && leftKept
          ? split.because("an outer join keeps rows of a table that is on every shard")
          : right;
    }
    if (!(right instanceof Placement.Split second)) {
      boolean rightKept = kind == JoinKind.RIGHT || kind == JoinKind.FULL;
      return rightKept
          ? first.because("an outer join keeps rows of a table that is on every shard")
          : first;
    }
    if (!first.sameRule(second) || !meet(all.closure(first.carriers()), second.carriers())) {
      return first
          .carriedBy(Set.of())
          .because("tables are joined otherwise than by equal sharding columns");
    }
    String obstacle = second.unlessAnchored();
    if (obstacle != null) {
      Set<Variable> anchors = ofLeft.closure(first.carriers());
      anchors.retainAll(join.left().variables());
      return meet(anchors, second.carriers()) ? first : first.carriedBy(Set.of()).because(obstacle);
    }
    if (first.unlessAnchored() != null) {
      return first;
    }
    return switch (kind) {
      case INNER -> first.alsoCarriedBy(second.carriers());
      case LEFT -> first;
      case RIGHT -> second;
      case FULL -> first.carriedBy(Set.of());
    };
  }

  private static boolean meet(Set<Variable> some, Set<Variable> others) {
    return others.stream().anyMatch(some::contains);
  }
}
