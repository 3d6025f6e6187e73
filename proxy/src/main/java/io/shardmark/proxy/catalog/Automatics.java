package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What one server does by itself when rows are written: defaults, identity columns, triggers and
 * rules. Only what is certain to do the same everywhere counts as that.
 */
final class Automatics {
  /** The columns that say which changes set something off. */
  private static final Map<RowChange, Integer> COLUMN_OF =
      Map.of(RowChange.INSERT, 2, RowChange.UPDATE, 3, RowChange.DELETE, 4);

  private final Map<Long, Map<Integer, Default>> defaults;
  private final Map<Long, Set<RowChange>> reactions;

  private Automatics(
      Map<Long, Map<Integer, Default>> defaults, Map<Long, Set<RowChange>> reactions) {
    this.defaults = defaults;
    this.reactions = reactions;
  }

  /**
   * What fills a column.
   *
   * @param text the expression, to be compared with other shards'; "" if there is none
   */
  record Default(String text, Filling filling) {
    static final Default NONE = new Default("", Filling.SAME);
  }

  static Automatics of(CatalogRows rows) {
    Map<Long, Map<Integer, Default>> defaults = new HashMap<>();
    for (CatalogRows.Fields row : rows.of(CatalogRows.Part.DEFAULTS)) {
      Filling filling = row.flag(4) ? Filling.SAME : Filling.MAY_DIFFER;
      defaults
          .computeIfAbsent(row.number(1), oid -> new HashMap<>())
          .put((int) row.number(2), new Default(row.text(3), filling));
    }
    Map<Long, Set<RowChange>> reactions = new HashMap<>();
    for (CatalogRows.Fields row : rows.of(CatalogRows.Part.REACTIONS)) {
      Set<RowChange> changes =
          reactions.computeIfAbsent(row.number(1), oid -> EnumSet.noneOf(RowChange.class));
      COLUMN_OF.forEach(
          (change, column) -> {
            if (row.flag(column)) {
              changes.add(change);
            }
          });
    }
    return new Automatics(defaults, reactions);
  }

  Default defaultOf(long table, int column) {
    return defaults.getOrDefault(table, Map.of()).getOrDefault(column, Default.NONE);
  }

  Set<RowChange> reactionsOf(long table) {
    return reactions.getOrDefault(table, Set.of());
  }
}
