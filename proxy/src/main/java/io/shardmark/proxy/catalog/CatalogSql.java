package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shards.ShardSql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a shard is asked of its catalog (PG18 §52 catalogs). Works on PostgreSQL 12 and later:
 * fields that newer versions added are reached through to_jsonb.
 *
 * <p>Tables and functions are asked for as far as they have changed since an earlier reading: a row
 * of a catalog has as xmin the transaction that wrote it, and what was not over at the earlier
 * reading is not older than the oldest transaction that was open then. The rest is read whole.
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

  /** Tables, views, indexes and sequences, for pg_class as c and pg_namespace as n. */
  private static final String IS_RELATION =
      """
      c.relkind in ('r', 'p', 'v', 'm', 'f', 'i', 'I', 'S') and c.relpersistence <> 't'
        and (c.relchecks = 0 or not exists (
          select from pg_constraint x where x.conrelid = c.oid and x.contype = 'c'
          and x.conname = '%s'))
        and\s"""
              .formatted(Sharding.ARRIVING_MARK)
          + OUTSIDE_SYSTEM;

  /**
   * Users' functions and the relations that are to be read: new ones, and those of which a column,
   * its type or the functions of its default, the schema or what a view reads is new.
   */
  private static final String TOUCHED =
      """
      with since (age) as materialized (select age(nullif(%s::text, '')::xid)),
      new_function (oid) as materialized (
        select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where p.oid >= 16384 and (newer(p) or newer(n))),
      touched (oid) as materialized (
        select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where newer(c) or newer(n)
        union
        select a.attrelid from pg_attribute a
        where a.attnum > 0 and (newer(a) or a.atttypid = any(array(
          select t.oid from pg_type t where t.typrelid = 0 and newer(t)
          union all
          select d.objid from pg_depend d join new_function f on f.oid = d.refobjid
          where d.classid = 'pg_type'::regclass and d.refclassid = 'pg_proc'::regclass)))
        union
        select r.ev_class from pg_rewrite r where newer(r)
        union
        select e.adrelid from pg_depend d
        join new_function f on f.oid = d.refobjid
        join pg_attrdef e on e.oid = d.objid
        where d.classid = 'pg_attrdef'::regclass and d.refclassid = 'pg_proc'::regclass)
      """;

  /**
   * Tables, views, indexes and sequences, one row each: kind, parent and bound of a partition,
   * partition key, what a view reads, whether it is marked as a table of one shard.
   */
  private static final String RELATIONS =
      """
      select c.oid, n.nspname, c.relname, c.relkind, i.inhparent,
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
             exists (select from pg_constraint x where x.conrelid = c.oid and x.contype = 'c'
                     and x.conname = '%s')
      from touched
      join pg_class c using (oid)
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
                             and c.relkind not in ('i', 'I')
      left join pg_partitioned_table k on k.partrelid = c.oid
      where\s"""
              .formatted(Sharding.ONE_SHARD_MARK)
          + IS_RELATION;

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
  private static final String COLUMNS =
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
      from touched
      join pg_class c using (oid)
      join pg_attribute a on a.attrelid = c.oid
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
   * By table, changes of rows that set off a trigger or rule, and a trigger that may change a row
   * before it is stored. All of them: one that is dropped leaves no newer row.
   *
   * <p>Bits of tgtype (PG18 §52.56 catalog-pg-trigger): ROW 1, BEFORE 2, INSERT 4, DELETE 8, UPDATE
   * 16. 'R' is enabled only where changes are replicated.
   */
  private static final String REACTIONS =
      """
      select x.relation, string_agg(distinct x.change, ' '), min(x.row_trigger)
      from (
        select t.tgrelid, unnest(array[case when t.tgtype & 4 <> 0 then 'INSERT' end,
                                       case when t.tgtype & 16 <> 0 then 'UPDATE' end,
                                       case when t.tgtype & 8 <> 0 then 'DELETE' end]), null
        from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        where not t.tgisinternal and t.tgenabled not in ('D', 'R') and f.provolatile <> 'i'
        union all
        select r.ev_class, case r.ev_type when '3' then 'INSERT' when '2' then 'UPDATE'
                                          else 'DELETE' end, null
        from pg_rewrite r where r.ev_type <> '1' and r.ev_enabled not in ('D', 'R')
        union all
        select t.tgrelid, null, t.tgname::text
        from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        where t.tgenabled not in ('D', 'R') and t.tgtype & 3 = 3 and t.tgtype & 20 <> 0
          and f.provolatile <> 'i' and t.tgfoid >= 16384) x (relation, change, row_trigger)
      group by x.relation""";

  /**
   * A pattern for bodies of functions that may set what outlasts them: a command SET, RESET or
   * DISCARD, set_config, or a text that is executed. The SET of an UPDATE is elsewhere.
   */
  private static final String SETS =
      "'set_config|\\mexecute\\M\\s+(?!(procedure|function)\\M)"
          + "|(^|[;\"''$]|>>|\\m(begin|then|else|loop)\\M)\\s*(set|reset|discard)\\M'";

  /** A pattern for what of a body says which parameters those are. */
  private static final String SETTINGS_OF =
      "'((?:[;\"''$]\\s*)?\\mset(?:_config\\s*\\([^,]*,|\\s+[^;]{0,80}))'";

  /**
   * Functions of users and extensions: what one may do, by what it is declared to be, and if it may
   * set what outlasts it, or what exists from then on, the parts that say so. Stable ones of users
   * may read tables, as may those of some extensions, which are given queries; of volatile ones
   * only those of some extensions are known to read and write nothing.
   */
  private static final String FUNCTIONS =
      """
      select p.oid, n.nspname, p.proname,
             case when p.prokind = 'p' then ''
                  when p.prokind <> 'f'
                  then case when builtin and x.extname is not null then 'NOTHING' else 'UNKNOWN' end
                  when p.provolatile = 'i' then 'NOTHING'
                  when p.provolatile = 's'
                  then case when builtin
                                 or x.extname <> all (array['dblink', 'tablefunc', 'xml2'])
                            then 'DIFFERS' else 'UNKNOWN' end
                  when builtin and x.extname is not null
                       or x.extname = any (array['pgcrypto', 'uuid-ossp'])
                  then 'VOLATILE'
                  else 'UNKNOWN' end,
             concat(
               (select string_agg(';set ' || setting, '') from unnest(p.proconfig) setting
                where split_part(setting, '=', 1) like '%%.%%'),
               case when l.lanname not in ('c', 'internal')
                         and (l.lanname not in ('sql', 'plpgsql') or p.prosrc = ''
                              or p.prosrc ~* %1$s
                              or regexp_replace(
                                   regexp_replace(p.prosrc, '/[*].*?[*]/', ' ', 'g'),
                                   '--[^\\n]*', ' ', 'g') ~* %1$s)
               then '; ' || coalesce((
                 select string_agg(part[1], ' ')
                 from regexp_matches(case when p.prosrc = '' then pg_get_functiondef(p.oid)
                                          else p.prosrc end, %3$s, 'gi') part), '') end)
      from new_function
      join pg_proc p using (oid)
      join pg_namespace n on n.oid = p.pronamespace
      join pg_language l on l.oid = p.prolang
      cross join lateral (
        select exists (select from pg_proc own where own.proname = p.proname
                       and own.pronamespace = 'pg_catalog'::regnamespace) as builtin) named
      left join pg_depend e on e.classid = 'pg_proc'::regclass and e.objid = p.oid
                            and e.deptype = 'e'
      left join pg_extension x on x.oid = e.refobjid
      where %2$s"""
          .formatted(SETS, OUTSIDE_SYSTEM, SETTINGS_OF);

  /**
   * Facts of a kind: two names and a value. Roles with what they are (one that is dropped and made
   * again has another oid, and a session learns once what it may); schemas; the values of {@link
   * StartValues} for roles that have their own, and for all others; what calls functions of users
   * that no statement names; whether there is a table of shards that have been added; extended
   * statistics.
   *
   * <p>What this session began with is the server's own unless its role has its own, and unless the
   * driver sets it.
   */
  private static final String FACTS =
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
      select 'schema', n.nspname, '', '' from pg_namespace n where %s
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
      select 'adds', '', '', ''
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'shardmark' and c.relname = 'addition'
      union all
      select 'statistics', n.nspname, s.stxname, ''
      from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
      union all
      select 'unseen', '', '',
             case max(case when d.classid in ('pg_trigger'::regclass, 'pg_attrdef'::regclass,
                                              'pg_constraint'::regclass) then 1 else 2 end)
               when 1 then 'BY_WRITES' when 2 then 'BY_ALL' else 'NEVER' end
      from pg_depend d
      join pg_proc p on p.oid = d.refobjid
      join pg_language l on l.oid = p.prolang and l.lanname not in ('c', 'internal')
      where d.refclassid = 'pg_proc'::regclass and d.refobjid >= 16384
        and d.classid in ('pg_trigger'::regclass, 'pg_attrdef'::regclass,
                          'pg_constraint'::regclass, 'pg_rewrite'::regclass,
                          'pg_policy'::regclass, 'pg_operator'::regclass,
                          'pg_cast'::regclass, 'pg_class'::regclass)"""
          .formatted(OUTSIDE_SYSTEM);

  /**
   * What there is: the rest is gone. And the oldest transaction that is not over, and those that
   * are neither over for the snapshot nor a session's now: they were prepared, and perhaps have
   * ended since (which pg_prepared_xacts, read after the snapshot, would not show).
   */
  private static final String PRESENT =
      """
      select txid_snapshot_xmin(txid_current_snapshot()) & 4294967295,
             (select string_agg(c.oid::text, ' ')
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where %s),
             (select string_agg(p.oid::text, ' ') from pg_proc p where p.oid >= 16384),
             (select string_agg(x.id::text, ' ')
              from (select y & 4294967295 from txid_snapshot_xip(txid_current_snapshot()) y) x (id)
              where x.id not in (select a.backend_xid::text::bigint from pg_stat_activity a
                                 where a.backend_xid is not null))"""
          .formatted(IS_RELATION);

  private static final List<String> PARTS =
      List.of(RELATIONS, COLUMNS, REACTIONS, FUNCTIONS, FACTS, PRESENT);
  private static final int[] PART_COLUMNS = {11, 9, 3, 5, 4, 4};

  /** The number of columns of its rows: the number of a part, then the columns of that. */
  static final int COLUMN_COUNT = 12;

  /** As in {@link #changes}, with a parameter that is the transaction or ''. */
  static final String CHANGES = withParameter("?");

  /** The same with facts about shards that have been added and count: their names and places. */
  static final String CHANGES_AND_ADDED =
      CHANGES
          + "\nunion all\nselect '4', 'added', name, '', position::text"
          + ", null".repeat(COLUMN_COUNT - 5)
          + ShardSql.COUNTING;

  /**
   * What texts of expressions and types depend on, so that those of all shards can be compared, and
   * whose objects the names in our own statements are.
   */
  private static final List<String> SETTINGS =
      List.of(
          "search_path to pg_catalog",
          "datestyle to iso, mdy",
          "intervalstyle to postgres",
          "quote_all_identifiers to off",
          "jit to off"); // compiling takes a thousand times as long as reading

  /** For a connection that reads catalogs only: planning takes longer than reading changes. */
  static final String PREPARE_SESSION =
      SETTINGS.stream().map("set "::concat).collect(Collectors.joining("; "))
          + "; set plan_cache_mode to force_generic_plan; set default_transaction_read_only to on";

  private CatalogSql() {}

  /**
   * Everything about tables as texts that may have changed since a reading, in one statement and so
   * of one snapshot.
   *
   * @param since the oldest transaction that was not over then; empty: everything
   */
  static String changes(Optional<Long> since) {
    return withParameter(since.map("'%d'"::formatted).orElse("''"));
  }

  private static String withParameter(String since) {
    return IntStream.range(0, PART_COLUMNS.length)
        .mapToObj(CatalogSql::part)
        .collect(Collectors.joining("\nunion all\n", TOUCHED.formatted(since), ""))
        .replaceAll(
            "newer\\((\\w)\\)", "(age($1.xmin) <= (select s.age from since s)) is not false");
  }

  private static String part(int part) {
    StringBuilder sql = new StringBuilder("select " + part + "::text");
    StringBuilder names = new StringBuilder();
    for (int column = 1; column < COLUMN_COUNT; column++) {
      boolean has = column <= PART_COLUMNS[part];
      sql.append(has ? ", q.c" + column + "::text" : ", null::text");
      names.append(has ? (column == 1 ? "c" : ", c") + column : "");
    }
    return "%s from (%s) q (%s)".formatted(sql, PARTS.get(part), names);
  }

  /** The question in a transaction, which it leaves as it was: what is set is undone. */
  static List<String> inTransaction(Optional<Long> since) {
    List<String> question = new ArrayList<>(List.of("savepoint shardmark_catalog"));
    SETTINGS.forEach(setting -> question.add("set local " + setting));
    question.add(changes(since));
    question.add("rollback to savepoint shardmark_catalog");
    question.add("release savepoint shardmark_catalog");
    return question;
  }
}
