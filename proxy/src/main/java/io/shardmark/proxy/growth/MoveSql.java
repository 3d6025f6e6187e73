package io.shardmark.proxy.growth;

import io.shardmark.proxy.commit.ProxyLock;
import io.shardmark.proxy.shardmap.Sharding;
import java.util.List;

/** Every statement of a move but those that are put together from names. */
final class MoveSql {
  static final String CREATE_TABLE =
      "CREATE TABLE IF NOT EXISTS shardmark.move (id int PRIMARY KEY, target text NOT NULL,"
          + " parents text[] NOT NULL, partitions text[] NOT NULL, bound text NOT NULL,"
          + " stage text NOT NULL, note text NOT NULL DEFAULT '',"
          + " identified text[] NOT NULL DEFAULT '{}',"
          + " begun timestamptz NOT NULL DEFAULT clock_timestamp(),"
          + " changed timestamptz NOT NULL DEFAULT clock_timestamp())";

  /** On the first shard only. */
  static final String CREATE_NUMBERS = "CREATE SEQUENCE IF NOT EXISTS shardmark.move_number";

  static final String NEXT_NUMBER = "SELECT nextval('shardmark.move_number')";

  static final String SELECT =
      "SELECT id, 'shardmark_move_' || (SELECT oid FROM pg_database WHERE datname ="
          + " current_database()) || '_' || id, target, parents, partitions, bound, stage, note,"
          + " extract(epoch FROM CASE WHEN stage IN ('done', 'undone') THEN changed"
          + " ELSE clock_timestamp() END - begun)::bigint FROM shardmark.move ORDER BY id";

  static final String INSERT =
      "INSERT INTO shardmark.move (id, target, parents, partitions, bound, stage)"
          + " SELECT ?::int, ?, ?::text[], ?::text[], ?, 'waiting' WHERE NOT EXISTS (SELECT FROM"
          + " shardmark.move WHERE stage NOT IN ('done', 'undone') AND partitions && ?::text[])";

  /** From a stage in which that is possible; changes no row in another. */
  static final String WRITE_STAGE =
      writeStage(
          "move",
          "id",
          ", begun = CASE stage WHEN 'waiting' THEN clock_timestamp() ELSE begun END");

  /** Parameters: stage, note, what the row is known by, the stages in which that is possible. */
  static String writeStage(String table, String key, String more) {
    return "UPDATE shardmark.%s SET stage = ?, note = ?, changed = clock_timestamp()%s"
            .formatted(table, more)
        + " WHERE %s = ? AND stage = ANY (?)".formatted(key);
  }

  static final String WRITE_NOTE = "UPDATE shardmark.move SET note = ? WHERE id = ?";

  static final String WRITE_IDENTIFIED =
      "UPDATE shardmark.move SET identified = ?::text[] WHERE id = ?";

  /** Partitions that have another replica identity because of the move. */
  static final String IDENTIFIED =
      "SELECT unnest(identified) FROM shardmark.move WHERE id = ? AND stage = 'undoing'";

  /** In the place of a move's number; no move has it. */
  static final int OF_ADDITION = 0;

  /** Of an addition on the new shard: who has it works there. */
  static final String TAKE_ADDED =
      "SELECT " + ProxyLock.GROWTH.call("pg_try_advisory_xact_lock", OF_ADDITION);

  /** On the first shard, as long as the connection lasts: orders are taken one after the other. */
  static final String LOCK_ORDERS = "SELECT " + ProxyLock.GROWTH.call("pg_advisory_lock", -1);

  /** Held by the connection to the source of the proxy that makes the move. */
  static String take(int id) {
    return "SELECT " + ProxyLock.GROWTH.call("pg_try_advisory_lock", id);
  }

  /**
   * Settings of the role or the database that would end what takes long, forbid it, or hide what is
   * committed meanwhile.
   */
  static final String NO_LIMITS =
      "SELECT set_config(name, CASE vartype WHEN 'bool' THEN 'off' WHEN 'enum' THEN"
          + " 'read committed' ELSE '0' END, false)"
          + " FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout',"
          + " 'idle_in_transaction_session_timeout', 'idle_session_timeout',"
          + " 'transaction_timeout', 'default_transaction_read_only',"
          + " 'default_transaction_isolation')";

  // ---- before a move

  /**
   * The partitions of some tables, given by schemas and names: name, table, bound, owner, what a
   * move would lose, referenced tables, names quoted; schema and name of the table.
   */
  static final String PARTITIONS =
      """
      select format('%I.%I', n.nspname, c.relname), format('%I.%I', pn.nspname, p.relname),
             pg_get_expr(c.relpartbound, 0), quote_ident(pg_get_userbyid(c.relowner)),
             case when c.relkind <> 'r' then 'is partitioned itself'
                  when exists (select from pg_index x where x.indrelid = c.oid and not exists (
                                 select from pg_inherits h where h.inhrelid = x.indexrelid))
                  then 'has an index that its table does not have'
                  when exists (select from pg_trigger t where t.tgrelid = c.oid
                               and t.tgparentid = 0 and not t.tgisinternal)
                  then 'has a trigger that its table does not have'
                  when c.relrowsecurity then 'has row security'
                  when c.relpersistence = 'u' then 'is unlogged, and its rows are not replicated'
                  when c.relreplident = 'n' or c.relreplident = 'i' and not exists (
                         select from pg_index x where x.indrelid = c.oid and x.indisreplident
                         and x.indisvalid)
                  then 'has no replica identity'
                  when current_setting('server_version_num')::int >= 180000
                  and (c.relreplident = 'f' or c.relreplident = 'd' and not exists (
                         select from pg_index x where x.indrelid = c.oid and x.indisprimary))
                  and exists (select from pg_attribute g where g.attrelid = c.oid
                              and g.attgenerated <> '')
                  then 'has generated columns and no primary key: its rows could not be changed'
                  else '' end,
             array(select distinct format('%I.%I', fn.nspname, f.relname)
                   from pg_constraint k join pg_class f on f.oid = k.confrelid
                   join pg_namespace fn on fn.oid = f.relnamespace
                   where k.conrelid = p.oid and k.contype = 'f'),
             pn.nspname, p.relname
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_class p on p.oid = i.inhparent
      join pg_namespace pn on pn.oid = p.relnamespace
      where c.relkind in ('r', 'p') and (pn.nspname::text, p.relname::text) in (
        select * from unnest(?::text[], ?::text[]))
      order by 1""";

  /** A partition by its name as a user has written it, quoted, and its table's. */
  static final String FIND =
      """
      select format('%I.%I', n.nspname, c.relname), pn.nspname, p.relname
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_inherits i on i.inhrelid = c.oid
      join pg_class p on p.oid = i.inhparent
      join pg_namespace pn on pn.oid = p.relnamespace
      where c.oid = to_regclass(?) and c.relispartition and c.relkind in ('r', 'p')""";

  /**
   * Bounds of partitions of some tables, given as above: one of each bound, and the bytes of all.
   */
  static final String SIZES =
      """
      select min(format('%I.%I', n.nspname, c.relname)), sum(pg_total_relation_size(c.oid))::bigint
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_class p on p.oid = i.inhparent
      join pg_namespace pn on pn.oid = p.relnamespace
      where c.relkind in ('r', 'p') and (pn.nspname::text, p.relname::text) in (
        select * from unnest(?::text[], ?::text[]))
      group by pg_get_expr(c.relpartbound, 0)""";

  /** What a shard must have to be a source or a target. */
  static final String SERVER =
      """
      select current_setting('wal_level'), (select rolsuper from pg_roles
                                            where rolname = current_user),
             current_setting('max_replication_slots')::int
             - (select count(*) from pg_replication_slots)::int,
             current_setting('max_wal_senders')::int
             - (select count(*) from pg_stat_replication)::int,
             current_setting('max_prepared_transactions')::int,
             current_setting('max_logical_replication_workers')::int""";

  static final String MISSING_ROLES =
      "SELECT quote_ident(r) FROM unnest(?::text[]) r WHERE NOT EXISTS"
          + " (SELECT FROM pg_roles WHERE quote_ident(rolname) = r)";

  static final String EXISTING_TABLES =
      "SELECT t FROM unnest(?::text[]) t WHERE to_regclass(t) IS NOT NULL";

  static final String MISSING_TABLES =
      "SELECT t FROM unnest(?::text[]) t WHERE to_regclass(t) IS NULL";

  // ---- the copy

  static final String PUBLICATION_EXISTS =
      "SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = ?)";

  static final String SLOT_EXISTS =
      "SELECT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = ?)";

  /** First in a transaction, which sees what the slot does not give (PG18 §54.4). */
  static final String CREATE_SLOT = "CREATE_REPLICATION_SLOT %s LOGICAL pgoutput USE_SNAPSHOT";

  /** What COPY takes: columns that are computed are not copied. */
  static final String COLUMNS =
      "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
          + " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped"
          + " AND attgenerated = ''";

  static final String END_WALSENDER =
      "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
          + " WHERE slot_name = ? AND active_pid IS NOT NULL";

  static final String DROP_SLOT =
      "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = ?";

  /** Without a key updates and deletes would fail on the source once it is published. */
  static final String WITHOUT_IDENTITY =
      """
      select format('%I.%I', n.nspname, c.relname) from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.oid = any (select to_regclass(t) from unnest(?::text[]) t) and c.relreplident = 'd'
        and not exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary)""";

  /** Statements that give a table its owner and privileges, as the source's has them. */
  static final String OWNERSHIP =
      """
      select format('alter table %1$s owner to %2$I', t, pg_get_userbyid(c.relowner))
      from unnest(?::text[]) t join pg_class c on c.oid = to_regclass(t)
      union all
      select format('grant %s on %s to %s%s', a.privilege_type, t,
                    case a.grantee when 0 then 'public'
                                   else quote_ident(pg_get_userbyid(a.grantee)) end,
                    case when a.is_grantable then ' with grant option' else '' end)
      from unnest(?::text[]) t join pg_class c on c.oid = to_regclass(t),
           aclexplode(c.relacl) a
      where a.grantee <> c.relowner""";

  /** Partitions with the bound of all and their tables: the sharding column of each. */
  private static final String OF_KEY =
      " FROM (SELECT *, ?::text AS bound FROM unnest(?::text[], ?::text[])"
          + " WITH ORDINALITY u (partition, parent, n)) m JOIN pg_class p ON p.oid ="
          + " to_regclass(m.parent) JOIN pg_partitioned_table k ON k.partrelid = p.oid"
          + " JOIN pg_attribute a ON a.attrelid = p.oid AND a.attnum = k.partattrs[0]";

  /**
   * The statement that marks a table as one that is about to be a partition, and has PostgreSQL
   * know when it becomes one that each row belongs there.
   */
  static final String ARRIVING =
      "SELECT " + check(Sharding.ARRIVING_MARK, "", "") + OF_KEY + " ORDER BY m.n";

  /**
   * What is needed to detach partitions, the last one first. The first column is the statement that
   * has a partition claim, when it is declared valid, that no row belongs there; empty if no
   * foreign key refers to it. The second one has the foreign keys that it will keep.
   */
  static final String DETACHING =
      "SELECT CASE WHEN EXISTS (SELECT FROM pg_constraint WHERE contype = 'f'"
          + " AND confrelid = to_regclass(m.partition)) THEN "
          + check("shardmark leaving", "NOT ", " NOT VALID")
          + " ELSE '' END, array(SELECT quote_ident(f.conname) FROM pg_constraint f"
          + " WHERE f.contype = 'f' AND f.conrelid = to_regclass(m.partition) AND NOT EXISTS"
          + " (SELECT FROM pg_constraint o WHERE o.oid = f.conparentid AND o.conrelid ="
          + " f.conrelid))"
          + OF_KEY
          + " ORDER BY m.n DESC";

  /** The statement for a CHECK of a partition's bound. */
  private static String check(String name, String before, String after) {
    return "format('ALTER TABLE %s ADD CONSTRAINT %I CHECK ("
        + before
        + "satisfies_hash_partition(%s::oid, '"
        + " || regexp_replace(m.bound, '\\D+(\\d+)\\D+(\\d+)\\D*', '\\1, \\2') || ', %I))"
        + after
        + "', m.partition, '"
        + name
        + "', p.oid, a.attname)";
  }

  static final String DROP_LEAVING = "ALTER TABLE %s DROP CONSTRAINT \"shardmark leaving\"";

  /** Statements that give partitions the foreign keys of their tables that they do not have. */
  static final String MISSING_KEYS =
      "SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', m.partition, k.conname,"
          + " pg_get_constraintdef(k.oid)) FROM unnest(?::text[], ?::text[]) m (partition, parent)"
          + " JOIN pg_constraint k ON k.conrelid = to_regclass(m.parent) AND k.contype = 'f'"
          + " AND k.conparentid = 0 AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conrelid ="
          + " to_regclass(m.partition) AND o.contype = 'f' AND o.conname = k.conname)";

  /**
   * Queries, one for each foreign key of a table, which give the key's name for each row of the
   * partition that arrives for which it does not hold: rows that it refers to may be in the
   * referenced table or arrive as well. Conditions may be added. Parameters: the partition, tables,
   * their partitions that arrive, the table.
   */
  static final String KEY_CHECKS =
      """
      select format('select %L from only %s f where %s and not exists (select from %s r where %s)%s',
                    k.conname, ?::text, c.given, k.confrelid::regclass,
                    c.equal, (select string_agg(format(' and not exists (select from %s r where %s)',
                                                       m.arriving, c.equal), '')
                              from unnest(?::text[], ?::text[]) m (parent, arriving)
                              where to_regclass(m.parent) = k.confrelid))
      from pg_constraint k,
           lateral (select string_agg(format('r.%I = f.%I', o.attname, a.attname), ' and ') equal,
                           string_agg(format('f.%I is not null', a.attname), ' and ') given
                    from unnest(k.conkey, k.confkey) n (own, other)
                    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.own
                    join pg_attribute o on o.attrelid = k.confrelid and o.attnum = n.other) c
      where k.contype = 'f' and k.conparentid = 0 and k.conrelid = to_regclass(?)""";

  /** Tables that foreign keys of some tables, given twice, refer to or come from. */
  static final String OTHERS_OF_KEYS =
      """
      select distinct format('%I.%I', n.nspname, c.relname)
      from (select array(select to_regclass(t)::oid from unnest(?::text[]) t) own) o,
           pg_constraint k, unnest(array[k.conrelid, k.confrelid]) other
      join pg_class c on c.oid = other
      join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and (k.conrelid = any (own) or k.confrelid = any (own))
        and not c.relispartition and other <> all (
          select to_regclass(t)::oid from unnest(?::text[]) t)""";

  /**
   * Declares constraints of a table valid that are, and that PostgreSQL would check while clients
   * wait: there is no other statement for that.
   */
  static String declareValid(String table) {
    return "UPDATE pg_constraint SET convalidated = true WHERE NOT convalidated AND contype IN"
        + " ('f', 'c') AND conrelid = to_regclass(%s)".formatted(literal(table));
  }

  static String literal(String text) {
    return "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** All of them in one: one limit of time holds for them, and one answer is waited for. */
  static String together(List<String> statements) {
    return "DO " + literal("BEGIN " + String.join("; ", statements) + "; END");
  }

  static final String SUBSCRIPTION_EXISTS =
      "SELECT EXISTS (SELECT FROM pg_subscription WHERE subname = ? AND subdbid ="
          + " (SELECT oid FROM pg_database WHERE datname = current_database()))";

  /** The text has the password: it must not come into a log or be seen by others. */
  static final String SILENCE =
      "SET track_activities = off; SET log_statement = 'none'; SET log_min_duration_statement = -1;"
          + " SET log_min_error_statement = 'panic'; SET pg_stat_statements.track_utility = off";

  /** From version 15 on. */
  static final String FAILURES =
      "SELECT apply_error_count FROM pg_stat_subscription_stats" + " WHERE subname = ?";

  /** Those of the tables that are no partitions yet. */
  static final String ARRIVED =
      "SELECT t FROM unnest(?::text[]) t WHERE EXISTS (SELECT FROM pg_constraint WHERE conrelid ="
          + " to_regclass(t) AND conname = '"
          + Sharding.ARRIVING_MARK
          + "')";

  /** Bytes of the source's log that the target has not confirmed; -1 without a connection. */
  static final String LAG =
      "SELECT CASE WHEN active THEN pg_wal_lsn_diff(pg_current_wal_insert_lsn(),"
          + " confirmed_flush_lsn)::bigint ELSE -1 END FROM pg_replication_slots"
          + " WHERE slot_name = ?";

  /** After all that is committed before; its own commit has the log flushed up to there. */
  static final String POSITION =
      "SELECT pg_logical_emit_message(true, 'shardmark', '')::text"
          + " FROM set_config('synchronous_commit', 'on', true)";

  static final String NOW = "SELECT clock_timestamp()::text";

  static final String A_SECOND_AGO = "SELECT (clock_timestamp() - interval '1 second')::text";

  /**
   * Whether a transaction has a snapshot and had begun by then: a REPEATABLE READ one, or a
   * statement under way.
   */
  static final String HAS_SNAPSHOT_BEFORE =
      "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
          + " AND backend_type = 'client backend' AND backend_xmin IS NOT NULL"
          + " AND xact_start < ?::timestamptz AND pid <> pg_backend_pid())";

  static final String IS_LEVEL =
      "SELECT confirmed_flush_lsn >= ?::pg_lsn FROM pg_replication_slots WHERE slot_name = ?";

  /** Bytes of the tables that are there. */
  static final String SIZE =
      "SELECT coalesce(sum(pg_table_size(to_regclass(t))), 0) FROM unnest(?::text[]) t";

  /**
   * Whether a transaction that has begun more than a second ago has locks on one of the tables,
   * other than of some modes. Waiting for its end would have clients wait.
   */
  static final String HAS_OLD_LOCKS =
      "SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
          + " WHERE l.relation = ANY (SELECT to_regclass(t)::oid FROM unnest(?::text[]) t)"
          + " AND l.mode <> ALL (?::text[]) AND a.datname = current_database() AND a.backend_type = 'client backend'"
          + " AND a.xact_start < clock_timestamp() - interval '1 second'"
          + " AND pid <> pg_backend_pid())";

  // ---- compare and switch

  /** What texts of values depend on. */
  static final String SAME_TEXTS =
      "SET datestyle TO iso, mdy; SET intervalstyle TO postgres; SET bytea_output TO hex;"
          + " SET extra_float_digits TO 3; SET timezone TO 'UTC'; SET jit TO off";

  /** For queries that join whole tables: without figures about them a loop may be chosen. */
  static final String NO_LOOPS = "SET LOCAL enable_nestloop TO off";

  /** For queries that look a slice's rows up by a key's index. */
  static final String LOOPS = "SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off";

  static final String BLOCKS =
      "SELECT pg_relation_size(to_regclass(?)) / current_setting('block_size')::int";

  /** Count and sum of hashes of a table's rows that a condition holds for. */
  static String fingerprint(String table, String where) {
    return "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM ONLY "
        + table
        + " t WHERE "
        + where;
  }

  /** Those of some blocks, from version 14 on without reading the others. */
  static String inBlocks(long from, long to) {
    return "ctid >= '(%d,0)' AND ctid < '(%d,0)'".formatted(from, to);
  }

  static String dropMark(String table) {
    return "ALTER TABLE %s DROP CONSTRAINT \"%s\"".formatted(table, Sharding.ARRIVING_MARK);
  }

  /**
   * Whether a prepared transaction attaches one of the tables: until it is over nobody else can
   * rename or drop them.
   */
  static final String IS_BEING_ATTACHED =
      "SELECT count(*) > 0 FROM pg_locks JOIN pg_database d ON d.oid = database"
          + " WHERE datname = current_database() AND pid IS NULL AND mode = 'AccessExclusiveLock'"
          + " AND relation = ANY (SELECT to_regclass(t)::oid FROM unnest(?::text[]) t)";

  private MoveSql() {}
}
