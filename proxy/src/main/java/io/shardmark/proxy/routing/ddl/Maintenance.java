package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.Target;
import io.shardmark.proxy.shardmap.Table;
import java.util.List;
import java.util.Set;

/**
 * TRUNCATE, LOCK, ANALYZE, VACUUM, REINDEX, CLUSTER, REFRESH: on the shards that have the tables.
 */
final class Maintenance {
  private final DdlText text;

  Maintenance(DdlText text) {
    this.text = text;
  }

  /** After the verb. */
  StatementPlan plan(String verb) {
    return switch (verb) {
      case "truncate" -> {
        text.accept("table");
        yield NamedTables.read(text).plan(DdlKind.OTHER);
      }
      case "lock" -> lock();
      case "vacuum" -> {
        options();
        yield tables(DdlKind.ALONE);
      }
      case "analyze", "analyse" -> {
        options();
        yield tables(DdlKind.OTHER);
      }
      case "reindex" -> reindex();
      case "cluster" -> cluster();
      default -> text.everywhere(DdlKind.OTHER); // REFRESH MATERIALIZED VIEW
    };
  }

  /** {@code (VERBOSE, ...)} or the words of older releases. */
  private void options() {
    if (text.isSymbol(text.at(), "(")) {
      text.moveTo(text.afterParentheses(text.at()));
    }
    while (text.acceptAny("full", "freeze", "verbose", "analyze", "analyse")) {
      // nothing depends on them
    }
  }

  private StatementPlan tables(DdlKind kind) {
    return text.atEnd() ? text.everywhere(kind) : NamedTables.read(text).plan(kind);
  }

  /**
   * Leaves nothing behind that would have to be made atomic, so it is no DDL to the transaction.
   */
  private StatementPlan lock() {
    text.accept("table");
    List<Integer> shards = NamedTables.read(text).shards();
    if (shards.size() > 1) {
      throw new DdlRefusedException(
          "LOCK names tables of different shards", "Lock each table with a statement of its own.");
    }
    int shard = shards.isEmpty() ? -1 : shards.get(0);
    Target target = shard < 0 ? new Target.All() : new Target.Fixed(shard);
    return new StatementPlan.Query(Access.LOCK, target, new ScatterStrategy.Same(), Set.of());
  }

  private StatementPlan reindex() {
    options();
    boolean table = text.accept("table");
    boolean index = !table && text.accept("index");
    DdlKind kind = (table || index) && !text.accept("concurrently") ? DdlKind.OTHER : DdlKind.ALONE;
    if (index) {
      return text.whereNamed(kind);
    }
    if (!table) {
      return text.everywhere(kind);
    }
    return table(kind);
  }

  /** A partitioned table's partitions are worked on in transactions of their own. */
  private StatementPlan table(DdlKind kind) {
    Table found = text.tableHere();
    boolean partitioned = Distribution.of(found).is(Distribution.Kind.SHARDED);
    return text.whereTableIs(found, partitioned ? DdlKind.ALONE : kind);
  }

  private StatementPlan cluster() {
    options();
    return text.atEnd() ? text.everywhere(DdlKind.ALONE) : table(DdlKind.OTHER);
  }
}
