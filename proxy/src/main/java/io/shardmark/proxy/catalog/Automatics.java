package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What one server does by itself when rows are written: defaults, identity columns, triggers and
 * rules. Only what is certain to do the same everywhere counts as that.
 */
final class Automatics {
  /**
   * Expressions are stored as trees (PG18 §52.6 catalog-pg-attrdef): a tree of these nodes only,
   * whose functions are all immutable, has one value. Some nodes have other names before version
   * 16. What converts by a type's text form is not among them: it may read the clock ('now').
   */
  private static final String STEADY =
      """
      not exists (
        select from regexp_matches(%1$s::text, '\\{([A-Z_]+)', 'g') node (name)
        where node.name[1] not in (
          'CONST', 'FUNCEXPR', 'OPEXPR', 'DISTINCTEXPR', 'NULLIFEXPR', 'SCALARARRAYOPEXPR',
          'BOOLEXPR', 'RELABELTYPE', 'ARRAYCOERCEEXPR', 'CASETESTEXPR', 'COLLATEEXPR', 'CASEEXPR',
          'CASE', 'CASEWHEN', 'WHEN', 'ARRAYEXPR', 'ARRAY', 'ROWEXPR', 'ROW', 'COALESCEEXPR',
          'COALESCE', 'MINMAXEXPR', 'MINMAX', 'NULLTEST', 'BOOLEANTEST', 'COERCETODOMAIN',
          'NAMEDARGEXPR'))
      and not exists (
        select from regexp_matches(%1$s::text, ':(?:op)?funcid (\\d+)', 'g') call (id)
        left join pg_proc p on p.oid = call.id[1]::oid
        where p.provolatile is distinct from 'i')""";

  private static final String DEFAULTS =
      """
      select a.attrelid, a.attnum,
             case when a.attidentity <> '' then 'identity'
                  else coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault) end,
             a.attidentity = '' and case when d.oid is not null then %s else %s end
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and c.relkind in ('r', 'p', 'v', 'f') and c.relpersistence <> 't'
        and (a.attidentity <> '' or d.oid is not null
             or (t.typtype = 'd' and t.typdefaultbin is not null))"""
          .formatted(STEADY.formatted("d.adbin"), STEADY.formatted("t.typdefaultbin"));

  /** Bits of tgtype: INSERT 4, DELETE 8, UPDATE 16. 'R': only where changes are replicated. */
  private static final String REACTIONS =
      """
      select t.tgrelid, (t.tgtype & 4) <> 0 as on_insert, (t.tgtype & 16) <> 0 as on_update,
             (t.tgtype & 8) <> 0 as on_delete
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and t.tgenabled not in ('D', 'R') and p.provolatile <> 'i'
      union all
      select ev_class, ev_type = '3', ev_type = '2', ev_type = '4'
      from pg_rewrite where ev_type <> '1' and ev_enabled not in ('D', 'R')""";

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

  static Automatics read(Statement statement) throws SQLException {
    Map<Long, Map<Integer, Default>> defaults = new HashMap<>();
    try (ResultSet row = statement.executeQuery(DEFAULTS)) {
      while (row.next()) {
        Filling filling = row.getBoolean(4) ? Filling.SAME : Filling.MAY_DIFFER;
        defaults
            .computeIfAbsent(row.getLong(1), oid -> new HashMap<>())
            .put(row.getInt(2), new Default(String.valueOf(row.getString(3)), filling));
      }
    }
    Map<Long, Set<RowChange>> reactions = new HashMap<>();
    try (ResultSet row = statement.executeQuery(REACTIONS)) {
      while (row.next()) {
        Set<RowChange> changes =
            reactions.computeIfAbsent(row.getLong(1), oid -> EnumSet.noneOf(RowChange.class));
        for (RowChange change : RowChange.values()) {
          if (row.getBoolean("on_" + change.name().toLowerCase(Locale.ROOT))) {
            changes.add(change);
          }
        }
      }
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
