package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.StartValues;
import java.util.List;

/**
 * What a shard is asked of its catalog (PG18 §52 catalogs). Works on PostgreSQL 12 and later:
 * fields that newer versions added are reached through to_jsonb.
 */
final class CatalogSql {
  static final String SERVER =
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

  /**
   * Tables, views, indexes and sequences, one row each: kind, parent and bound of a partition,
   * partition key, what a view reads, changes of rows that set off a trigger or rule, and a trigger
   * that may change a row before it is stored.
   *
   * <p>Bits of tgtype (PG18 §52.56 catalog-pg-trigger): ROW 1, BEFORE 2, INSERT 4, DELETE 8, UPDATE
   * 16. 'R' is enabled only where changes are replicated.
   */
  static final String RELATIONS =
      """
      select c.oid, n.nspname, c.relname, c.relkind, pn.nspname, p.relname,
             pg_get_expr(c.relpartbound, 0), k.partstrat,
             case when k.partexprs is null then (
               select string_agg(a.attname, chr(10) order by f.position)
               from unnest(k.partattrs::int2[]) with ordinality f (attnum, position)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = f.attnum) end,
             not exists (select from unnest(k.partclass::oid[]) f (oid)
                         join pg_opclass o on o.oid = f.oid where not o.opcdefault)
             and not exists (
               select from unnest(k.partattrs::int2[], k.partcollation::oid[]) f (attnum, coll)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = f.attnum
               where a.attcollation <> f.coll),
             (select string_agg(distinct d.refobjid::text, ' ')
              from pg_rewrite r
              join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
              where r.ev_class = c.oid and c.relkind in ('v', 'm')
                and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid),
             (select string_agg(distinct change, ' ') from (
                select unnest(array[case when t.tgtype & 4 <> 0 then 'INSERT' end,
                                    case when t.tgtype & 16 <> 0 then 'UPDATE' end,
                                    case when t.tgtype & 8 <> 0 then 'DELETE' end])
                from pg_trigger t join pg_proc f on f.oid = t.tgfoid
                where t.tgrelid = c.oid and not t.tgisinternal
                  and t.tgenabled not in ('D', 'R') and f.provolatile <> 'i'
                union all
                select case ev_type when '3' then 'INSERT' when '2' then 'UPDATE'
                                    when '4' then 'DELETE' end
                from pg_rewrite where ev_class = c.oid and ev_enabled not in ('D', 'R')
              ) reaction (change)),
             (select min(t.tgname::text) from pg_trigger t join pg_proc f on f.oid = t.tgfoid
              where t.tgrelid = c.oid and t.tgenabled not in ('D', 'R') and t.tgtype & 3 = 3
                and t.tgtype & 20 <> 0 and f.provolatile <> 'i' and t.tgfoid >= 16384)
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
                             and c.relkind not in ('i', 'I')
      left join pg_class p on p.oid = i.inhparent
      left join pg_namespace pn on pn.oid = p.relnamespace
      left join pg_partitioned_table k on k.partrelid = c.oid
      where c.relkind in ('r', 'p', 'v', 'm', 'f', 'i', 'I', 'S') and c.relpersistence <> 't'
        and %s"""
          .formatted(OUTSIDE_SYSTEM);

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
        select from regexp_matches(e.tree, '\\{([A-Z_]+)', 'g') node (name)
        where node.name[1] not in (
          'CONST', 'FUNCEXPR', 'OPEXPR', 'DISTINCTEXPR', 'NULLIFEXPR', 'SCALARARRAYOPEXPR',
          'BOOLEXPR', 'RELABELTYPE', 'ARRAYCOERCEEXPR', 'CASETESTEXPR', 'COLLATEEXPR', 'CASEEXPR',
          'CASE', 'CASEWHEN', 'WHEN', 'ARRAYEXPR', 'ARRAY', 'ROWEXPR', 'ROW', 'COALESCEEXPR',
          'COALESCE', 'MINMAXEXPR', 'MINMAX', 'NULLTEST', 'BOOLEANTEST', 'COERCETODOMAIN',
          'NAMEDARGEXPR'))
      and not exists (
        select from regexp_matches(e.tree, ':(?:op)?funcid (\\d+)', 'g') call (id)
        left join pg_proc p on p.oid = call.id[1]::oid
        where p.provolatile is distinct from 'i')""";

  /**
   * With whether only equal bytes are equal, whether the order is that of the bytes (of the libc
   * and built-in locales some have that), the default, and what it fills a row with.
   */
  static final String COLUMNS =
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
      select a.attrelid, a.attnum, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod),
             coalesce(co.deterministic, true),
             -- The client's bytes are UTF-8; those of other encodings have another order.
             co.oid is null
             or (co.locale in ('C', 'POSIX', 'C.UTF-8', 'C.utf8', 'C.UTF8', 'PG_UNICODE_FAST')
                 and current_setting('server_encoding') in ('UTF8', 'SQL_ASCII')),
             case when a.attidentity <> '' then 'identity'
                  when e.tree is null then null
                  else coalesce(pg_get_expr(d.adbin, 0), t.typdefault) end,
             case when a.attgenerated <> '' then 'GENERATED'
                  when a.attidentity = '' and %s then 'SAME'
                  when exists (
                    select from regexp_matches(e.tree, ':funcid (\\d+)', 'g') call (id)
                    join pg_proc p on p.oid = call.id[1]::oid
                    where p.oid >= 16384 and p.provolatile = 'v' and not exists (
                      select from pg_depend x where x.classid = 'pg_proc'::regclass
                      and x.objid = p.oid and x.deptype = 'e')) then 'MAY_WRITE'
                  else 'MAY_DIFFER' end
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_type t on t.oid = a.atttypid
      left join named co on co.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      cross join lateral (
        select case when a.attgenerated <> '' or c.relkind = 'm' then null
                    when d.oid is not null then d.adbin::text
                    when t.typtype = 'd' then t.typdefaultbin::text end) e (tree)
      where a.attnum > 0 and not a.attisdropped
        and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
        and %s"""
          .formatted(STEADY, OUTSIDE_SYSTEM);

  /**
   * A pattern for bodies of functions that may set what outlasts them: a command SET, RESET or
   * DISCARD, set_config, or a text that is executed. The SET of an UPDATE stands elsewhere.
   */
  private static final String SETS =
      "'set_config|\\mexecute\\M\\s+(?!(procedure|function)\\M)"
          + "|(^|[;\"''$]|>>|\\m(begin|then|else|loop)\\M)\\s*(set|reset|discard)\\M'";

  /**
   * Facts of a kind: two names and a value. Roles with what they are (one that is dropped and made
   * again has another oid, and a session learns once what it may); schemas; the values of {@link
   * StartValues} for roles that have their own, and for all others; whether functions set what
   * outlasts them; what functions of users and extensions may do, by what they are declared to be.
   * Stable ones of users may read tables, as may those of some extensions, which are given queries;
   * of volatile ones only those of some extensions are known to read and write nothing.
   *
   * <p>What this session began with is the server's own unless its role has its own, and unless the
   * driver sets it.
   */
  static final String OTHER_FACTS =
      """
      with listed (name) as (
        values ('search_path'), ('extra_float_digits'), ('intervalstyle'), ('bytea_output'),
               ('default_transaction_isolation'), ('default_transaction_read_only'),
               ('standard_conforming_strings'), ('datestyle'), ('timezone'),
               ('application_name'), ('client_encoding')),
      set_for as (
        select s.setdatabase, s.setrole, setting, lower(split_part(setting, '=', 1)) as name,
               substr(setting, strpos(setting, '=') + 1) as value
        from pg_db_role_setting s, unnest(s.setconfig) setting
        where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))),
      own as (select * from set_for where name in (select name from listed))
      select 'is', rolname, '', concat_ws(' ', oid, rolsuper, (
               select string_agg(concat_ws(' ', s.setdatabase, s.setrole, s.setting), ' '
                                 order by s.setdatabase, s.setrole, s.setting)
               from set_for s
               where s.setrole in (0, r.oid) and s.name not in (select name from listed)))
      from pg_roles r
      union all
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
                                 '--[^\\n]*', ' ', 'g') ~* %2$s))
      union all
      select 'function', f.nspname, f.proname,
             (array['NOTHING', 'DIFFERS', 'VOLATILE', 'UNKNOWN'])[max(f.harm) + 1]
      from (
        select n.nspname, p.proname,
               case when p.prokind <> 'f' then case when builtin and x.extname is not null
                                                    then 0 else 3 end
                    when p.provolatile = 'i' then 0
                    when p.provolatile = 's' then case when builtin
                                                         or x.extname <> all (array[
                                                              'dblink', 'tablefunc', 'xml2'])
                                                       then 1 else 3 end
                    when builtin and x.extname is not null then 2
                    when x.extname = any (array['pgcrypto', 'uuid-ossp']) then 2
                    else 3 end as harm
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        cross join lateral (
          select exists (select from pg_proc own where own.proname = p.proname
                         and own.pronamespace = 'pg_catalog'::regnamespace) as builtin) named
        left join pg_depend e on e.classid = 'pg_proc'::regclass and e.objid = p.oid
                              and e.deptype = 'e'
        left join pg_extension x on x.oid = e.refobjid
        where p.oid >= 16384 and p.prokind <> 'p' and %1$s) f
      group by f.nspname, f.proname"""
          .formatted(OUTSIDE_SYSTEM, SETS);

  /** The number of columns of the rows of {@link CatalogRows#EVERYTHING}. */
  static final int COLUMN_COUNT = 14;

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
