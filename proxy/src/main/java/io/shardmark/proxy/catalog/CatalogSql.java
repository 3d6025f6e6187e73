package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.StartValues;
import java.util.List;

/**
 * What a shard is asked of its catalog (PG18 §52 catalogs). Works on PostgreSQL 12 and later:
 * fields that newer versions added are reached through to_jsonb.
 */
final class CatalogSql {
  static final String FACTS =
      """
      select current_setting('server_version'), current_setting('server_encoding'), d.datcollate,
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

  static final String TABLES =
      """
      select c.oid, n.nspname, c.relname, c.relkind, pn.nspname, p.relname,
             coalesce(pg_get_expr(c.relpartbound, 0), '')
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
      left join pg_class p on p.oid = i.inhparent
      left join pg_namespace pn on pn.oid = p.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

  /** Of the libc and built-in locales, those whose order is that of the bytes. */
  static final String COLLATIONS =
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
        from pg_collation co, base
        where co.oid in (select attcollation from pg_attribute))
      select oid, deterministic,
             locale in ('C', 'POSIX', 'C.UTF-8', 'C.utf8', 'C.UTF8', 'PG_UNICODE_FAST')
             -- The client's bytes are UTF-8; those of other encodings have another order.
             and current_setting('server_encoding') in ('UTF8', 'SQL_ASCII')
      from named""";

  static final String COLUMNS =
      """
      select a.attrelid, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod),
             a.attcollation, a.attnum
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped
        and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

  static final String PARTITION_KEYS =
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

  static final String OTHERS =
      """
      select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('i', 'I', 'S') and c.relpersistence <> 't' and %s"""
          .formatted(OUTSIDE_SYSTEM);

  static final String VIEW_USES =
      """
      select distinct r.ev_class, d.refobjid
      from pg_rewrite r
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      join pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
      where d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class""";

  /** Changes whenever one of the tables does; cheap next to reading them all. */
  static final String FINGERPRINT =
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
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, nspname), 0)), 0)
                        from pg_namespace where nspname !~ '^pg_')
             || ' ' || (select coalesce(sum(hashtextextended(
                            concat_ws(' ', setdatabase, setrole, setconfig), 0)), 0)
                        from pg_db_role_setting)
             || ' ' || (select coalesce(sum(hashtextextended(concat_ws(' ', oid, rolname, rolsuper), 0)), 0)
                        from pg_roles)
             || ' ' || current_setting('search_path')
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join lateral (
        select sum(hashtextextended(concat_ws(' ', attnum, xmin, attisdropped), 0)) as stamps
        from pg_attribute where attrelid = c.oid and attnum > 0) a on true
      where c.relkind in ('r', 'p', 'v', 'm', 'f', 'i', 'I', 'S') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

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

  static final String DEFAULTS =
      """
      select a.attrelid, a.attnum,
             case when a.attidentity <> '' then 'identity'
                  else coalesce(pg_get_expr(d.adbin, 0), t.typdefault) end,
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
  static final String REACTIONS =
      """
      select t.tgrelid, (t.tgtype & 4) <> 0 as on_insert, (t.tgtype & 16) <> 0 as on_update,
             (t.tgtype & 8) <> 0 as on_delete
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and t.tgenabled not in ('D', 'R') and p.provolatile <> 'i'
      union all
      select ev_class, ev_type = '3', ev_type = '2', ev_type = '4'
      from pg_rewrite where ev_type <> '1' and ev_enabled not in ('D', 'R')""";

  /**
   * Triggers that may change a row before it is stored (PG18 §37.1 trigger-definition). Bits of
   * tgtype: ROW 1, BEFORE 2, INSERT 4, UPDATE 16.
   */
  static final String ROW_TRIGGERS =
      """
      select t.tgrelid, t.tgname
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgenabled not in ('D', 'R') and (t.tgtype & 3) = 3 and (t.tgtype & 20) <> 0
        and p.provolatile <> 'i' and t.tgfoid >= 16384""";

  /**
   * A pattern for bodies of functions that may set what outlasts them: a command SET, RESET or
   * DISCARD, set_config, or a text that is executed. The SET of an UPDATE stands elsewhere.
   */
  private static final String SETS =
      "'set_config|\\mexecute\\M\\s+(?!(procedure|function)\\M)"
          + "|(^|[;\"''$]|>>|\\m(begin|then|else|loop)\\M)\\s*(set|reset|discard)\\M'";

  /**
   * Names of schemas, then the values of {@link StartValues}: for roles that have their own, and
   * for all others. What this session began with is the server's own unless its role has its own,
   * and unless the driver sets it.
   */
  static final String SCHEMAS =
      """
      with listed (name) as (
        values ('search_path'), ('extra_float_digits'), ('intervalstyle'), ('bytea_output'),
               ('default_transaction_isolation'), ('default_transaction_read_only'),
               ('standard_conforming_strings'), ('datestyle'), ('timezone'),
               ('application_name'), ('client_encoding')),
      own as (
        select s.setdatabase, s.setrole, lower(split_part(setting, '=', 1)) as name,
               substr(setting, strpos(setting, '=') + 1) as value
        from pg_db_role_setting s, unnest(s.setconfig) setting
        where lower(split_part(setting, '=', 1)) in (select name from listed)
          and s.setdatabase in (0, (select oid from pg_database where datname = current_database())))
      select 'schema', n.nspname, '', '' from pg_namespace n where %1$s
      union all
      select * from (
        select distinct on (r.rolname, own.name) 'role', r.rolname, own.name, own.value
        from own join pg_roles r on r.oid = own.setrole
        order by r.rolname, own.name, own.setdatabase desc) of_role
      union all
      select 'usual', '', lower(p.name),
             coalesce((select value from own where own.setrole = 0 and own.name = lower(p.name)
                       order by setdatabase desc limit 1),
                      case when lower(p.name) in ('datestyle', 'timezone', 'application_name',
                                                  'client_encoding', 'extra_float_digits')
                             and p.source = 'client' then ''
                           when exists (select from own join pg_roles r on r.oid = own.setrole
                                        where r.rolname = session_user
                                          and own.name = lower(p.name))
                           then p.boot_val
                           else p.reset_val end)
      from pg_settings p where lower(p.name) in (select name from listed)
      union all
      select 'sets', case max(case d.classid when 'pg_trigger'::regclass then 1
                                             when 'pg_attrdef'::regclass then 1
                                             when 'pg_constraint'::regclass then 1 else 2 end)
                     when 1 then 'BY_WRITES' when 2 then 'BY_ALL' else 'NEVER' end, '', ''
      from pg_depend d
      join pg_proc p on p.oid = d.refobjid
      join pg_language l on l.oid = p.prolang and l.lanname not in ('c', 'internal')
      where d.refclassid = 'pg_proc'::regclass and p.oid >= 16384
        and d.classid in ('pg_trigger'::regclass, 'pg_attrdef'::regclass,
                          'pg_constraint'::regclass, 'pg_rewrite'::regclass,
                          'pg_policy'::regclass, 'pg_operator'::regclass,
                          'pg_cast'::regclass, 'pg_class'::regclass)
      having exists (
        select from pg_proc p join pg_language l on l.oid = p.prolang
        where p.oid >= 16384 and l.lanname not in ('c', 'internal')
          and (l.lanname not in ('sql', 'plpgsql') or p.prosrc = ''
               or p.prosrc ~* %2$s
               or regexp_replace(regexp_replace(p.prosrc, '/[*].*?[*]/', ' ', 'g'),
                                 '--[^\\n]*', ' ', 'g') ~* %2$s))"""
          .formatted(OUTSIDE_SYSTEM, SETS);

  /**
   * Functions with names of PostgreSQL's own, where they may do more than compute: 1, 2, 3 are the
   * values of Overloads.Harm. Those of extensions are taken to read and write no tables.
   */
  static final String OVERLOADS =
      """
      select f.nspname, f.proname, max(f.harm)
      from (
        select n.nspname, p.proname,
               case when p.prokind <> 'f' then case when e.objid is null then 3 else 0 end
                    when p.provolatile = 'v' then case when e.objid is null then 3 else 2 end
                    when p.provolatile = 's' then 1 else 0 end as harm
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        left join pg_depend e on e.classid = 'pg_proc'::regclass and e.objid = p.oid
                              and e.deptype = 'e'
        where p.oid >= 16384 and p.prokind <> 'p' and %s
          and p.proname in (select proname from pg_proc
                            where pronamespace = 'pg_catalog'::regnamespace)) f
      where f.harm > 0
      group by f.nspname, f.proname"""
          .formatted(OUTSIDE_SYSTEM);

  /** A role that is dropped and made again has another oid; a session learns once what it may. */
  static final String ROLES = "select rolname, concat_ws(' ', oid, rolsuper) from pg_roles";

  /** The number of columns of the rows of {@link CatalogRows#EVERYTHING}. */
  static final int COLUMN_COUNT = 8;

  /**
   * What texts of expressions and types depend on, so that those of all shards can be compared, and
   * whose objects the names in our own statements are.
   */
  static final List<String> SETTINGS =
      List.of(
          "set local search_path to pg_catalog",
          "set local datestyle to iso, mdy",
          "set local intervalstyle to postgres",
          "set local quote_all_identifiers to off");

  private CatalogSql() {}
}
