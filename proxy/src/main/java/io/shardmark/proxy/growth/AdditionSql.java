package io.shardmark.proxy.growth;

/** Every statement of the addition of a shard but those that are put together from names. */
final class AdditionSql {
  /**
   * The first shard has the stages. The others have a row for each shard that counts, since a proxy
   * may reach them first.
   */
  static final String CREATE_TABLE =
      "CREATE TABLE IF NOT EXISTS shardmark.addition (name text PRIMARY KEY, position int NOT NULL,"
          + " stage text NOT NULL, note text NOT NULL DEFAULT '',"
          + " changed timestamptz NOT NULL DEFAULT clock_timestamp())";

  static final String SELECT = "SELECT name, stage, note FROM shardmark.addition ORDER BY position";

  static final String INSERT =
      "INSERT INTO shardmark.addition AS a (name, position, stage) VALUES (?, ?, 'making')"
          + " ON CONFLICT (name) DO UPDATE SET stage = 'making', note = '' WHERE a.stage = 'undone'";

  static final String COUNTS =
      "INSERT INTO shardmark.addition (name, position, stage) VALUES (?, ?, 'counts')"
          + " ON CONFLICT (name) DO NOTHING";

  static final String WRITE_STAGE = MoveSql.writeStage("addition", "name", "");

  // ---- before an addition

  /** What a database is: the same for two connections to one. */
  static final String DATABASE =
      "SELECT system_identifier || ' ' || current_database() FROM pg_control_system()";

  static final String CLUSTER = "SELECT cluster FROM shardmark.shard";

  static final String IDENTITY = "SELECT cluster, name FROM shardmark.shard";

  /** Schemas, tables, types and functions of users: each with its kind, and what drops it. */
  static final String OWN_OBJECTS =
      """
      with own as (
        select n.oid, n.nspname from pg_namespace n
        where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'shardmark')
          and not exists (select from pg_depend d where d.objid = n.oid
                          and d.classid = 'pg_namespace'::regclass and d.deptype = 'e'))
      select kind || ' ' || name, format('drop %s if exists %s cascade', kind, name)
      from (
        select 'schema', quote_ident(nspname) from own where nspname <> 'public'
        union all
        select case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
                              when 'S' then 'sequence' when 'f' then 'foreign table'
                              when 'c' then 'type' else 'table' end,
               format('%I.%I', o.nspname, c.relname)
        from pg_class c join own o on o.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and not exists (
          select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
            and d.objsubid = 0 and (d.deptype = 'e' or d.deptype = 'i' and c.relkind <> 'c'))
        union all
        select 'type', format('%I.%I', o.nspname, t.typname)
        from pg_type t join own o on o.oid = t.typnamespace
        where t.typtype in ('e', 'd', 'r') and not exists (
          select from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass
                                    and d.deptype = 'e')
        union all
        select 'routine', p.oid::regprocedure::text
        from pg_proc p join own o on o.oid = p.pronamespace
        where p.prokind in ('f', 'p') and not exists (
          select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass
                                    and d.deptype in ('e', 'i'))) o (kind, name)""";

  static final String ROLES = "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname !~ '^pg_'";

  static final String EXTENSIONS = "SELECT quote_ident(extname) FROM pg_extension";

  /** Of some tables, given by schemas and names, those that are not partitioned. */
  static final String NOT_PARTITIONED =
      """
      select format('%I.%I', n.nspname, c.relname)
      from unnest(?::text[], ?::text[]) w (s, t)
      join pg_namespace n on n.nspname = w.s
      join pg_class c on c.relnamespace = n.oid and c.relname = w.t
      where c.relkind = 'r' and not c.relispartition order by 1""";

  /** Of some tables, given as above, the partitions. */
  static final String PARTITIONS =
      """
      select 'the partition ' || c.oid::regclass || ', which is on several shards'
      from unnest(?::text[], ?::text[]) w (s, t)
      join pg_namespace n on n.nspname = w.s
      join pg_class c on c.relnamespace = n.oid and c.relname = w.t
      where c.relispartition order by 1""";

  /** What {@link #SCHEMA} does not make. */
  static final String UNSUPPORTED =
      """
      with own as (
        select n.oid from pg_namespace n
        where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'shardmark')),
      rel as (select c.* from pg_class c join own o on o.oid = c.relnamespace)
      select 'the aggregate or window function ' || p.oid::regprocedure
      from pg_proc p join own o on o.oid = p.pronamespace
      where p.prokind in ('a', 'w') and not exists (
        select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass
                                  and d.deptype = 'e')
      union all
      select 'the operator ' || p.oid::regoperator
      from pg_operator p join own o on o.oid = p.oprnamespace where not exists (
        select from pg_depend d where d.objid = p.oid and d.classid = 'pg_operator'::regclass
                                  and d.deptype = 'e')
      union all
      select 'the type ' || t.oid::regtype from pg_type t join own o on o.oid = t.typnamespace
      where t.typtype = 'r' and not exists (
        select from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass
                                  and d.deptype = 'e')
      union all
      select 'the collation ' || l.oid::regcollation
      from pg_collation l join own o on o.oid = l.collnamespace
      union all
      select 'the materialized view or foreign table ' || oid::regclass from rel
      where relkind in ('m', 'f')
      union all
      select 'row security of ' || oid::regclass from rel where relrowsecurity
      union all
      select 'the inheritance of ' || oid::regclass from rel
      where relkind = 'r' and not relispartition and exists (
        select from pg_inherits i where i.inhrelid = rel.oid)
      union all
      select 'the rule ' || u.rulename || ' on ' || rel.oid::regclass
      from pg_rewrite u join rel on rel.oid = u.ev_class where u.rulename <> '_RETURN'
      union all
      select 'a trigger of ' || rel.oid::regclass || ' that is not enabled as usual'
      from pg_trigger t join rel on rel.oid = t.tgrelid
      where not t.tgisinternal and t.tgenabled <> 'O'
      union all
      select 'privileges on columns of ' || rel.oid::regclass
      from pg_attribute a join rel on rel.oid = a.attrelid where a.attacl is not null
      union all
      select 'ALTER DEFAULT PRIVILEGES' from pg_default_acl
      limit 1""";

  // ---- the schema

  /** Names are written with their schemas, and bodies of functions are not checked. */
  static final String PREPARE =
      MoveSql.SAME_TEXTS
          + "; SELECT set_config('search_path', '', false); SET check_function_bodies = off";

  /**
   * The statements that make the schema of a shard, without partitions; in the order of their
   * making, and inside a phase of the objects' numbers. Parameters: schemas and names of tables,
   * views and sequences.
   */
  static final String SCHEMA =
      """
      with wanted as (
        select c.*, n.nspname, format('%I.%I', n.nspname, c.relname) q,
               exists (select from pg_depend d where d.classid = 'pg_class'::regclass
                       and d.objid = c.oid and d.objsubid = 0
                       and d.refclassid = 'pg_class'::regclass and d.deptype = 'i') inner_part
        from unnest(?::text[], ?::text[]) w (s, t)
        join pg_namespace n on n.nspname = w.s
        join pg_class c on c.relnamespace = n.oid and c.relname = w.t
        where not c.relispartition),
      own as (
        select n.* from pg_namespace n
        where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'shardmark')
          and not exists (select from pg_depend d where d.objid = n.oid
                          and d.classid = 'pg_namespace'::regclass and d.deptype = 'e')),
      types as (
        select t.*, format('%I.%I', o.nspname, t.typname) q
        from pg_type t join own o on o.oid = t.typnamespace
        where (t.typtype in ('e', 'd') or t.typtype = 'c' and exists (
                 select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
          and not exists (select from pg_depend d where d.objid = t.oid
                          and d.classid = 'pg_type'::regclass and d.deptype = 'e')),
      routines as (
        select p.*, p.oid::regprocedure::text q from pg_proc p join own o on o.oid = p.pronamespace
        where p.prokind in ('f', 'p')
          and not exists (select from pg_depend d where d.objid = p.oid
                          and d.classid = 'pg_proc'::regclass and d.deptype = 'e')),
      columns as (
        select a.attrelid, string_agg(
                 format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                   case when a.attcollation <> t.typcollation
                        then ' collate ' || a.attcollation::regcollation else '' end,
                   case when a.attidentity <> ''
                        then (select format(' generated %s as identity (sequence name %s minvalue %s'
                                            ' maxvalue %s cache %s)',
                                     case a.attidentity when 'a' then 'always' else 'by default' end,
                                     s.seqrelid::regclass, s.seqmin, s.seqmax, s.seqcache)
                              from pg_sequence s where s.seqrelid = pg_get_serial_sequence(
                                a.attrelid::regclass::text, a.attname)::regclass)
                        when a.attgenerated <> ''
                        then format(' generated always as (%s) %s',
                                    pg_get_expr(d.adbin, d.adrelid),
                                    case a.attgenerated when 's' then 'stored' else 'virtual' end)
                        when d.adbin is not null
                        then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
                   case when a.attnotnull then ' not null' else '' end),
                 ', ' order by a.attnum) list
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attnum > 0 and not a.attisdropped group by a.attrelid),
      made (phase, oid, sql) as (
        select 1, oid, format('create schema %I', nspname) from own where nspname <> 'public'
        union all
        select 2, oid, case typtype
            when 'e' then format('create type %s as enum (%s)', q, (
              select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
              from pg_enum where enumtypid = types.oid))
            when 'd' then format('create domain %s as %s%s%s%s', q,
              format_type(typbasetype, typtypmod), ' default ' || typdefault,
              case when typnotnull then ' not null' else '' end, (
                select string_agg(format(' constraint %I %s', k.conname,
                                         pg_get_constraintdef(k.oid)), '' order by k.conname)
                from pg_constraint k where k.contypid = types.oid and k.contype = 'c'))
            else format('create type %s as (%s)', q, (
              select list from columns where attrelid = typrelid)) end
        from types
        union all
        select 3, s.seqrelid, format('create sequence %s as %s minvalue %s maxvalue %s cache %s', q,
                                     s.seqtypid::regtype, s.seqmin, s.seqmax, s.seqcache)
        from pg_sequence s join wanted w on w.oid = s.seqrelid where not inner_part
        union all
        select 4, oid, pg_get_functiondef(oid) from routines
        union all
        select 4, oid, format('create %stable %s (%s)%s%s',
                              case relpersistence when 'u' then 'unlogged ' else '' end, q,
                              (select list from columns where attrelid = wanted.oid),
                              ' partition by ' || case relkind when 'p' then pg_get_partkeydef(oid) end,
                              ' with (' || array_to_string(reloptions, ', ') || ')')
        from wanted where relkind in ('r', 'p')
        union all
        select 4, oid, format('create view %s%s as %s', q,
                              ' with (' || array_to_string(reloptions, ', ') || ')',
                              pg_get_viewdef(oid))
        from wanted where relkind = 'v'
        union all
        select 5, k.oid, format('alter table %s add constraint %I %s', q, k.conname,
                                pg_get_constraintdef(k.oid))
        from pg_constraint k join wanted w on w.oid = k.conrelid
        where k.contype in ('p', 'u', 'x', 'c') and k.conparentid = 0
        union all
        select 6, x.indexrelid, pg_get_indexdef(x.indexrelid)
        from pg_index x join wanted w on w.oid = x.indrelid
        where not exists (select from pg_constraint k where k.conindid = x.indexrelid
                          and k.contype in ('p', 'u', 'x'))
        union all
        select 7, k.oid, format('alter table %s add constraint %I %s', q, k.conname,
                                pg_get_constraintdef(k.oid))
        from pg_constraint k join wanted w on w.oid = k.conrelid
        where k.contype = 'f' and k.conparentid = 0
        union all
        select 8, t.oid, pg_get_triggerdef(t.oid)
        from pg_trigger t join wanted w on w.oid = t.tgrelid where not t.tgisinternal
        union all
        select 9, oid, format('alter schema %I owner to %I', nspname, pg_get_userbyid(nspowner))
        from own
        union all
        select 9, oid, format('alter type %s owner to %I', q, pg_get_userbyid(typowner)) from types
        union all
        select 9, oid, format('alter routine %s owner to %I', q, pg_get_userbyid(proowner))
        from routines
        union all
        select 9, oid, format('alter table %s owner to %I', q, pg_get_userbyid(relowner))
        from wanted where not inner_part
        union all
        select 10, d.objid, format('alter sequence %s owned by %s.%I', q, d.refobjid::regclass,
                                   a.attname)
        from pg_depend d join wanted w on w.oid = d.objid and w.relkind = 'S'
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
          and d.deptype = 'a'
        union all
        select 11, oid, format('revoke all on routine %s from public', q)
        from routines where proacl is not null
        union all
        select 12, oid, format('grant %s on %s to %s%s', g.privilege_type, of_what,
                               case g.grantee when 0 then 'public'
                                    else quote_ident(pg_get_userbyid(g.grantee)) end,
                               case when g.is_grantable then ' with grant option' else '' end)
        from (select oid, 'schema ' || quote_ident(nspname), nspacl, nspowner from own
              union all select oid, 'routine ' || q, proacl, proowner from routines
              union all select oid, 'type ' || q, typacl, typowner from types
              union all select oid, case relkind when 'S' then 'sequence ' else 'table ' end || q,
                               relacl, relowner from wanted) o (oid, of_what, acl, owner),
             aclexplode(acl) g
        where g.grantee <> owner)
      select sql from made order by phase, oid""";

  /** Marks the database as one that does not count yet; the row has the cluster. */
  static final String MARK = "CREATE TABLE shardmark.arriving (cluster text NOT NULL)";

  static final String MARK_CLUSTER = "INSERT INTO shardmark.arriving VALUES (?)";

  static final String MARKED_BY = "SELECT cluster FROM shardmark.arriving";

  static final String UNMARK = "DROP TABLE IF EXISTS shardmark.arriving";

  // ---- rows

  /** Rows come as they are: what triggers and keys do has been done, and holds. */
  static final String AS_THEY_ARE = "SET LOCAL session_replication_role = replica";

  /**
   * Whether no other session of the database writes, and nothing is prepared: what a proxy that is
   * cut off has begun may still go on.
   */
  static final String IS_QUIET =
      "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND"
          + " pid <> pg_backend_pid() AND backend_xid IS NOT NULL) AND NOT EXISTS (SELECT FROM"
          + " pg_prepared_xacts WHERE database = current_database())";

  /**
   * Increment, start and the last number that a sequence has given, or the one before its first.
   */
  static String sequence(String name) {
    return "SELECT seqincrement, seqstart, last_value::numeric - CASE WHEN is_called THEN 0 ELSE"
        + " seqincrement END FROM pg_sequence, "
        + name
        + " WHERE seqrelid = '"
        + name.replace("'", "''")
        + "'::regclass";
  }

  private AdditionSql() {}
}
