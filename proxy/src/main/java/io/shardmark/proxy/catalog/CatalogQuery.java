package io.shardmark.proxy.catalog;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.catalog.CatalogTable.PartitionKey;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Equality;
import io.shardmark.proxy.shardmap.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads one shard's catalog (PG18 §52 catalogs). Works on PostgreSQL 12 and later: fields that
 * newer versions added are reached through to_jsonb.
 */
final class CatalogQuery {
  private static final String FACTS =
      """
      select current_setting('server_version'), current_setting('server_version_num')::int,
             current_setting('server_encoding'), d.datcollate,
             coalesce((select max(setting) from pg_db_role_setting s, unnest(s.setconfig) setting
                       where s.setdatabase = d.oid and s.setrole = 0
                         and setting ilike 'timezone=%'), ''),
             current_setting('integer_datetimes') = 'on',
             current_setting('max_prepared_transactions')::int,
             current_setting('max_connections')::int,
             current_setting('superuser_reserved_connections')::int
             + coalesce(current_setting('reserved_connections', true)::int, 0),
             (select system_identifier::text from pg_control_system()) || '/' || d.oid,
             pg_is_in_recovery(), current_user,
             (select rolsuper from pg_roles where rolname = current_user)
      from pg_database d where d.datname = current_database()""";

  /** Schemas that are nobody's data; the last one is the proxy's own. */
  private static final String OUTSIDE_SYSTEM =
      """
      n.nspname not in ('pg_catalog', 'information_schema', 'shardmark')
      and n.nspname !~ '^pg_(toast|temp)'""";

  private static final String TABLES =
      """
      select c.oid, n.nspname, c.relname, c.relkind, pn.nspname, p.relname,
             coalesce(pg_get_expr(c.relpartbound, c.oid), '')
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
      left join pg_class p on p.oid = i.inhparent
      left join pg_namespace pn on pn.oid = p.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

  /** Of the libc and built-in locales, those whose order is that of the bytes. */
  private static final String COLLATIONS =
      """
      with base as (
        select case when coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') in ('c', 'b')
                    then coalesce(to_jsonb(d) ->> 'datlocale', d.datcollate)
                    else 'icu' end as locale
        from pg_database d where d.datname = current_database()),
      named as (
        select co.oid, co.collisdeterministic as deterministic,
               case co.collprovider
                 when 'd' then base.locale
                 when 'i' then 'icu'
                 else coalesce(to_jsonb(co) ->> 'colllocale', co.collcollate) end as locale
        from pg_collation co, base)
      select oid, deterministic,
             locale in ('C', 'POSIX', 'C.UTF-8', 'C.utf8', 'C.UTF8', 'PG_UNICODE_FAST')
             -- The client's bytes are UTF-8; those of other encodings have another order.
             and current_setting('server_encoding') in ('UTF8', 'SQL_ASCII')
      from named""";

  private static final String COLUMNS =
      """
      select a.attrelid, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod),
             a.attcollation, a.attnum
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped
        and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
        and %s
      order by a.attrelid, a.attnum"""
          .formatted(OUTSIDE_SYSTEM);

  private static final String PARTITION_KEYS =
      """
      select p.partrelid, p.partstrat, p.partexprs is null,
             (select string_agg(a.attname, chr(10) order by k.position)
              from unnest(p.partattrs::int2[]) with ordinality k (attnum, position)
              join pg_attribute a on a.attrelid = p.partrelid and a.attnum = k.attnum),
             not exists (select from unnest(p.partclass::oid[]) k (oid)
                         join pg_opclass o on o.oid = k.oid where not o.opcdefault)
             and not exists (
               select from unnest(p.partattrs::int2[], p.partcollation::oid[]) k (attnum, coll)
               join pg_attribute a on a.attrelid = p.partrelid and a.attnum = k.attnum
               where a.attcollation <> k.coll)
      from pg_partitioned_table p""";

  private static final String OTHERS =
      """
      select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('i', 'I', 'S') and c.relpersistence <> 't' and %s"""
          .formatted(OUTSIDE_SYSTEM);

  private static final String VIEW_USES =
      """
      select distinct r.ev_class, d.refobjid
      from pg_rewrite r
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      join pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
      where d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class""";

  /** Changes whenever one of the tables does; cheap next to reading them all. */
  private static final String FINGERPRINT =
      """
      select coalesce(sum(hashtextextended(concat_ws(' ', c.oid, c.xmin, c.relname), 0)), 0)
             || ' ' || coalesce(sum(a.stamps), 0)
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, xmin), 0)), 0)
                        from pg_rewrite)
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, xmin), 0)), 0)
                        from pg_trigger)
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, xmin), 0)), 0)
                        from pg_proc where oid >= 16384)
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, xmin), 0)), 0)
                        from pg_type where oid >= 16384 and typtype = 'd')
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join lateral (
        select sum(hashtextextended(concat_ws(' ', attnum, xmin, attisdropped), 0)) as stamps
        from pg_attribute where attrelid = c.oid and attnum > 0) a on true
      where c.relkind in ('r', 'p', 'v', 'm', 'f', 'i', 'I', 'S') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

  private final Statement statement;

  private CatalogQuery(Statement statement) {
    this.statement = statement;
  }

  /**
   * Reads everything in one snapshot.
   *
   * @param connection in auto-commit mode, as it is afterwards
   */
  static ShardCatalog read(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
      CatalogQuery query = new CatalogQuery(statement);
      ShardCatalog catalog = new ShardCatalog(query.facts(), query.tables(), query.others());
      connection.commit();
      return catalog;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** A text that is another one after any change of the tables. */
  static String fingerprint(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FINGERPRINT)) {
      row.next();
      return row.getString(1);
    }
  }

  private ShardFacts facts() throws SQLException {
    try (ResultSet row = statement.executeQuery(FACTS)) {
      row.next();
      return new ShardFacts(
          row.getString(1),
          row.getInt(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getBoolean(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9),
          row.getString(10),
          row.getBoolean(11),
          row.getString(12),
          row.getBoolean(13));
    }
  }

  private Map<TableName, CatalogTable> tables() throws SQLException {
    Automatics automatics = Automatics.read(statement);
    Map<Long, List<CatalogColumn>> columns = columns(collations(), automatics);
    Map<Long, PartitionKey> keys = partitionKeys();
    List<Row> rows = rows();
    Map<Long, TableName> names = new HashMap<>();
    rows.forEach(row -> names.put(row.oid(), row.name()));
    Map<Long, Set<TableName>> uses = viewUses(names);
    Map<TableName, CatalogTable> tables = new HashMap<>();
    for (Row row : rows) {
      tables.put(
          row.name(),
          new CatalogTable(
              row.name(),
              row.kind(),
              columns.getOrDefault(row.oid(), List.of()),
              Optional.ofNullable(keys.get(row.oid())),
              row.parent(),
              row.bound(),
              uses.getOrDefault(row.oid(), Set.of()),
              automatics.reactionsOf(row.oid())));
    }
    return tables;
  }

  private Set<TableName> others() throws SQLException {
    Set<TableName> names = new HashSet<>();
    try (ResultSet row = statement.executeQuery(OTHERS)) {
      while (row.next()) {
        names.add(new TableName(row.getString(1), row.getString(2)));
      }
    }
    return names;
  }

  private record Row(
      long oid, TableName name, CatalogTable.Kind kind, Optional<TableName> parent, String bound) {}

  private List<Row> rows() throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(TABLES)) {
      while (row.next()) {
        String parent = row.getString(6);
        rows.add(
            new Row(
                row.getLong(1),
                new TableName(row.getString(2), row.getString(3)),
                kind(row.getString(4)),
                parent == null
                    ? Optional.empty()
                    : Optional.of(new TableName(row.getString(5), parent)),
                row.getString(7)));
      }
    }
    return rows;
  }

  private static CatalogTable.Kind kind(String relkind) {
    return switch (relkind) {
      case "p" -> CatalogTable.Kind.PARTITIONED;
      case "v" -> CatalogTable.Kind.VIEW;
      case "m" -> CatalogTable.Kind.MATERIALIZED_VIEW;
      case "f" -> CatalogTable.Kind.FOREIGN;
      default -> CatalogTable.Kind.TABLE;
    };
  }

  private record Collation(boolean deterministic, boolean byteOrdered) {}

  private Map<Long, Collation> collations() throws SQLException {
    Map<Long, Collation> collations = new HashMap<>();
    collations.put(0L, new Collation(true, true));
    try (ResultSet row = statement.executeQuery(COLLATIONS)) {
      while (row.next()) {
        collations.put(row.getLong(1), new Collation(row.getBoolean(2), row.getBoolean(3)));
      }
    }
    return collations;
  }

  private Map<Long, List<CatalogColumn>> columns(
      Map<Long, Collation> collations, Automatics automatics) throws SQLException {
    Collation unknown = new Collation(false, false);
    Map<Long, List<CatalogColumn>> columns = new HashMap<>();
    try (ResultSet row = statement.executeQuery(COLUMNS)) {
      while (row.next()) {
        Collation collation = collations.getOrDefault(row.getLong(5), unknown);
        // Oids over 2^31 are users' types, whose oids nobody compares; the bits are kept.
        Automatics.Default own = automatics.defaultOf(row.getLong(1), row.getInt(6));
        Column column =
            new Column(
                row.getString(2),
                (int) row.getLong(3),
                collation.byteOrdered(),
                collation.deterministic() ? Equality.OF_BYTES : Equality.OF_COLLATION,
                own.filling());
        columns
            .computeIfAbsent(row.getLong(1), oid -> new ArrayList<>())
            .add(new CatalogColumn(column, row.getString(4), own.text()));
      }
    }
    return columns;
  }

  private Map<Long, PartitionKey> partitionKeys() throws SQLException {
    Map<Long, PartitionKey> keys = new HashMap<>();
    try (ResultSet row = statement.executeQuery(PARTITION_KEYS)) {
      while (row.next()) {
        String attributes = row.getString(4);
        boolean plain = row.getBoolean(3) && attributes != null;
        keys.put(
            row.getLong(1),
            new PartitionKey(
                row.getString(2).charAt(0),
                plain ? List.of(attributes.split("\n", -1)) : List.of(),
                row.getBoolean(5)));
      }
    }
    return keys;
  }

  private Map<Long, Set<TableName>> viewUses(Map<Long, TableName> names) throws SQLException {
    Map<Long, Set<TableName>> uses = new HashMap<>();
    try (ResultSet row = statement.executeQuery(VIEW_USES)) {
      while (row.next()) {
        TableName used = names.get(row.getLong(2));
        if (used != null) {
          uses.computeIfAbsent(row.getLong(1), oid -> new HashSet<>()).add(used);
        }
      }
    }
    return uses;
  }
}
