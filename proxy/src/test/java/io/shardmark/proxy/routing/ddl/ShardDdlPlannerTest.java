package io.shardmark.proxy.routing.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShardDdlPlannerTest {
  private static Cluster cluster() {
    return new Cluster("s1", "s2")
        .sharded("warehouse", "w_id", "w")
        .sharded("district", "d_w_id", "w")
        .sharded("elsewhere", "e_id", "e")
        .reference("item")
        .declared("account", "aid")
        .declaredOnly("teller", "tid")
        .partition("warehouse_0", 0)
        .partition("warehouse_3", 1)
        .oneShard("known", 1)
        .name(NameSpace.RELATIONS, "i_3", 1)
        .name(NameSpace.RELATIONS, "item_idx", 0, 1)
        .name(NameSpace.RELATIONS, "item_i_id_idx", 1)
        .name(NameSpace.RELATIONS, "warehouse_0_w_id_idx", 1)
        .name(NameSpace.RELATIONS, "warehouse_0_w_id_idx1", 0, 1)
        .name(NameSpace.STATISTICS, "z_3", 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          create table t (a int)                                                ! all map
          create table t (a int) with (shard = all)                             ! s1: create table t (a int) | s2: create table t (a int) map
          create table t (a int) with (fillfactor = 80, shard = all)            ! s1: create table t (a int) with (fillfactor = 80) | s2: create table t (a int) with (fillfactor = 80) map
          create table t (a int) with (shard = all, fillfactor = 80)            ! s1: create table t (a int) with (fillfactor = 80) | s2: create table t (a int) with (fillfactor = 80) map
          create table t (a int) with (shard = 2)                               ! s2: create table t (a int) marked tried map
          create table if not exists t (a serial, unique (a)) with (shard = s1, fillfactor = 50) ! s1: create table if not exists t (a serial, unique (a)) with (fillfactor = 50) marked tried map
          create table t () with (shard = 1)                                    ! s1: create table t () marked tried map
          create table t with (shard = 1) as select w_id from warehouse         ! refused 0A000: the query reads tables that are not on shard s1
          create table t with (shard = 1) as select 1 from warehouse_3          ! refused 0A000: the query reads tables that are not on shard s1
          create table t with (shard = all) as select 1 from warehouse_3        ! refused 0A000: the query would give other rows on each shard: it reads "warehouse_3"
          create table t as select 1 from warehouse_0, warehouse_3              ! refused 0A000: the tables it names are on different shards
          create table if not exists warehouse_3 as select * from item          ! s2 map
          create table if not exists warehouse_3 as select * from warehouse     ! s2: create table if not exists warehouse_3 as select map
          create table if not exists item as select * from warehouse_3          ! s1: create table if not exists item as select map
          create table t (a int) partition by hash (a) with (shard = 1)         ! refused 0A000: a sharded table cannot be on one shard only
          create table t (a int references item, b int references warehouse_3) with (shard = 2) ! s2: create table t (a int references item, b int references warehouse_3) marked tried map
          create table t (b int references warehouse_3) with (shard = 1)        ! refused 0A000: the foreign key from "t" to "warehouse_3" cannot be checked across shards: its rows are not on the same shards
          create table t (a int) partition by hash (a)                          ! all map
          CREATE TABLE "T" (a int) PARTITION BY HASH (a)                        ! all map
          create table t (a int, b int) partition by hash (a, b)                ! refused 0A000: a table over several shards is partitioned by one column
          create table t (a text) partition by hash (lower(a))                  ! refused 0A000: a table over several shards is partitioned by one column
          create table p partition of x for values with (modulus 6, remainder 3)  ! s2 tried map
          create table p partition of x for values with (modulus 6, remainder 4)  ! s1 tried map
          create table p partition of x for values with (MODULUS 6, REMAINDER 4) with (shard = 2) ! s2: create table p partition of x for values with (MODULUS 6, REMAINDER 4) tried map
          create table p partition of x for values with (modulus 6, remainder 4) with (shard = s2) ! s2: create table p partition of x for values with (modulus 6, remainder 4) tried map
          create table p partition of x for values with (modulus 6, remainder 4) with (fillfactor = 50) ! s1 tried map
          create table p partition of x for values with (modulus 6, remainder 4) with (shard = 3)   ! refused 0A000: there is no shard 3 among 2
          create table p partition of x for values with (modulus 6, remainder 4) with (shard = 0)   ! refused 0A000: there is no shard 0 among 2
          create table p partition of x for values with (modulus 6, remainder 4) with (shard = all) ! refused 0A000: a partition cannot be on all shards: its rows would be there several times
          create table p partition of x default                                 ! s1 tried map
          create table p partition of warehouse_3 for values with (modulus 2, remainder 0) ! s2 map
          create table p partition of warehouse_3 for values with (modulus 2, remainder 0) with (shard = 1) ! refused 0A000: the partitioned table "warehouse_3" is on shard s2 only
          create table t as select * from item                                  ! all map
          alter table warehouse_3 set (shard = s1)                              ! MovePartition[partition=public.warehouse_3, on=1, to=s1]
          alter table only public.warehouse_0 set (shard = 2)                   ! MovePartition[partition=public.warehouse_0, on=0, to=s2]
          alter table warehouse_3 set (shard = s9)                              ! refused 0A000: there is no shard s9 among 2
          alter table warehouse_3 set (shard = all)                             ! refused 0A000: SET (shard = ...) moves one partition to one shard, and stands alone
          alter table warehouse set (shard = s1)                                ! refused 0A000: SET (shard = ...) moves one partition to one shard, and stands alone
          alter table warehouse_3 set (shard = s1, fillfactor = 80)             ! refused 0A000: SET (shard = ...) moves one partition to one shard, and stands alone
          alter table warehouse_3 set (fillfactor = 80)                         ! s2 map
          alter table warehouse_3 rename to w                                   ! s2 tried map
          alter table warehouse_3 set schema x                                  ! s2 tried map
          alter table warehouse_3 rename w_id to w                              ! s2 map
          create table if not exists warehouse_3 (a int) with (shard = 1)       ! s2: create table if not exists warehouse_3 (a int) map
          create table if not exists item (a int) with (shard = 1)              ! s1: create table if not exists item (a int) | s2: create table if not exists item (a int) map
          create table if not exists warehouse_3 (a int)                        ! s2 map
          create table if not exists i_3 (a int)                                ! s2 map
          create table if not exists warehouse_3 partition of warehouse for values with (modulus 6, remainder 0) with (shard = 1) ! s2: create table if not exists warehouse_3 partition of warehouse for values with (modulus 6, remainder 0) tried map
          create view v as select * from warehouse_3                            ! s2 tried map
          alter view warehouse_3 rename to v                                    ! s2 tried map
          create table t as select * from warehouse                             ! refused 0A000: the query would give other rows on each shard: it reads "warehouse"
          create table t as select now() from item                              ! refused 0A000: the query would give other rows on each shard: because of now()
          """)
  void placesTables(String sql, String expected) {
    assertThat(cluster().planned(sql)).isEqualTo(expected);
  }

  @Test
  void queriesOfOneShardMakeTablesThere() {
    String read = "create table t as select * from warehouse_3 join item using (i_id)";
    assertThat(cluster().planned(read)).isEqualTo("s2 marked tried map");
    assertThat(cluster().planned("create table t with (shard = 1) as select now()"))
        .isEqualTo("s1: create table t  as select now() marked tried map");
    assertThat(cluster().unsharded("s2").planned("create table t as select now()"))
        .isEqualTo("s2 marked tried map");
  }

  /** Else a table that another transaction has just committed would get a value for each shard. */
  @Test
  void columnsAreFilledAlikeInTablesThatAreNotKnownYet() {
    for (String table : List.of("item", "fresh")) {
      StatementPlan plan =
          cluster().plan("alter table " + table + " add a uuid default gen_random_uuid()");
      assertThat(plan)
          .isInstanceOfSatisfying(
              StatementPlan.Ddl.class,
              ddl -> {
                assertThat(ddl.refilled().get(0).table().name()).isEqualTo(table);
                assertThat(ddl.changed()).as("statements on it are planned anew").contains(table);
              });
    }
    assertThat(cluster().planned("alter table if exists fresh add a timestamptz default now()"))
        .startsWith("refused 0A000: table \"fresh\" is not known");
    assertThat(cluster().planned("alter table if exists item add a int default 7"))
        .isEqualTo("all map");
  }

  @Test
  void theConfigurationSaysWhereTablesAreThatSayNothing() {
    Cluster cluster = cluster().unsharded("s2");
    assertThat(cluster.planned("create table t (a int)")).isEqualTo("s2 marked tried map");
    assertThat(cluster.planned("create table t (a int) with (shard = all)"))
        .startsWith("s1: create table t (a int) |");
    assertThat(cluster.planned("create table t (a int) partition by hash (a)"))
        .isEqualTo("all map");
    assertThat(cluster.planned("create table t (a int) inherits (item)")).isEqualTo("all map");
  }

  @Test
  void placesEqualBoundsOfListsAndRangesAlike() {
    Cluster many = new Cluster("s1", "s2", "s3", "s4", "s5", "s6", "s7");
    for (int i = 0; i < 20; i++) {
      String bound = "from (%d) to (%d)".formatted(i, i + 10);
      String first = many.planned("create table a partition of x for values " + bound);
      String second =
          many.planned(
              "create table b partition of y  FOR VALUES FROM (%d)  TO(%d) with (fillfactor=9)"
                  .formatted(i, i + 10));
      assertThat(second).isEqualTo(first).matches("s\\d tried map");
    }
    long shards =
        java.util.stream.IntStream.range(0, 50)
            .mapToObj(i -> "create table a partition of x for values in (" + i + ")")
            .map(many::planned)
            .distinct()
            .count();
    assertThat(shards).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          alter table warehouse add constraint warehouse_pkey primary key (w_id)  ! all map
          alter table warehouse_3 set (fillfactor = 50)                          ! s2 map
          alter table item add primary key (i_id)                                ! all map
          alter table account add primary key (aid)                              ! all map
          alter table account add primary key (bid)                              ! refused 0A000: a unique key of table "account" without its sharding column "aid" cannot be kept across shards
          alter table account add column c int unique                            ! refused 0A000: a unique key of table "account" without its sharding column "aid" cannot be kept across shards
          alter table account drop column aid                                    ! refused 0A000: column "aid" spreads table "account" over the shards and cannot be dropped
          alter table account alter aid type bigint                              ! refused 0A000: column "aid" spreads table "account" over the shards and cannot be given another type
          alter table account set (fillfactor = 90)                              ! all map
          create table teller (tid int, x int unique)                            ! refused 0A000: a unique key of table "teller" without its sharding column "tid" cannot be kept across shards
          create table t (a int primary key, b int) partition by hash (b)        ! refused 0A000: a unique key of table "t" without its sharding column "b" cannot be kept across shards
          create unique index on account (bid)                                   ! refused 0A000: a unique key of table "account" without its sharding column "aid" cannot be kept across shards
          create unique index i on account using btree (bid desc, aid)           ! all
          create index i on account (bid)                                        ! all
          create index on account (bid)                                          ! all
          create index on item (i_id)                                            ! s1: create index "item_i_id_idx1" on item (i_id) | s2: create index "item_i_id_idx1" on item (i_id)
          create index concurrently on item (i_id)                               ! s1: create index concurrently "item_i_id_idx1" on item (i_id) | s2: create index concurrently "item_i_id_idx1" on item (i_id) alone
          create index on elsewhere_unknown (a)                                  ! all
          create index concurrently i on account (bid)                           ! all alone
          create index i on warehouse_0 (w_id)                                   ! s1 tried map
          create index on warehouse_0 (w_id)                                     ! s1: create index "warehouse_0_w_id_idx2" on warehouse_0 (w_id) tried map
          create unique index on only public.warehouse_3 using btree (w_y desc, "W") include (w_x) ! s2: create unique index "warehouse_3_w_y_W_w_x_idx" on only public.warehouse_3 using btree (w_y desc, "W") include (w_x) tried map
          create index on warehouse_0 ((w_id + 1))                               ! s1: create index "warehouse_0_expr_idx" on warehouse_0 ((w_id + 1)) tried map
          create index on warehouse_0 (w_id, pg_catalog.lower(w_x) desc, (w_y))  ! s1: create index "warehouse_0_w_id_lower_w_y_idx" on warehouse_0 (w_id, pg_catalog.lower(w_x) desc, (w_y)) tried map
          create index on warehouse_0 (w_id, w_id, (lower(w_x)), lower(w_y))     ! s1: create index "warehouse_0_w_id_w_id1_lower_lower1_idx" on warehouse_0 (w_id, w_id, (lower(w_x)), lower(w_y)) tried map
          create index on warehouse_0 (w234567890123456789012345678901234567890, w_id) ! s1: create index "warehouse_0_w234567890123456789012345678901234567890_w_id_idx" on warehouse_0 (w234567890123456789012345678901234567890, w_id) tried map
          create index on warehouse_0 (w2345678901234567890123456789012345678901234567890) ! s1: create index "warehouse_0_w2345678901234567890123456789012345678901234567_idx" on warehouse_0 (w2345678901234567890123456789012345678901234567890) tried map
          create index on warehouse_0                                            ! s1: create index "warehouse_0__idx" on warehouse_0 tried map
          create index if not exists i on warehouse_0 (w_id)                     ! s1 tried map
          create index if not exists i_3 on warehouse_3 (w_id)                   ! s2 tried map
          create index if not exists i_3 on warehouse_0 (w_id)                   ! refused 0A000: IF NOT EXISTS would make "i_3" on shard s1, and shard s2 has something of that name
          create index if not exists item on warehouse_0 (w_id)                  ! s1 map
          create index if not exists item_idx on warehouse_0 (w_id)              ! s1 map
          create index if not exists i on item (i_id)                            ! all
          create index if not exists i_3 on item (i_id)                          ! refused 0A000: IF NOT EXISTS would make "i_3" on other shards, and shard s2 has something of that name
          create index if not exists item_idx on item (i_id)                     ! all
          create index concurrently if not exists i_3 on item (i_id)             ! all alone
          create materialized view if not exists i_3 as select 1 from item       ! refused 0A000: IF NOT EXISTS would make "i_3" on other shards, and shard s2 has something of that name
          create materialized view if not exists m as select 1 from item         ! all map
          create materialized view if not exists i_3 as select 1 from warehouse_0 ! refused 0A000: IF NOT EXISTS would make "i_3" on shard s1, and shard s2 has something of that name
          create index concurrently on warehouse_0 (w_id)                        ! s1 alone map
          create index concurrently i on warehouse_0 (w_id)                      ! s1 alone map
          create unique index i on warehouse_0 (w_name)                          ! s1 tried map
          drop index concurrently i                                              ! all alone
          alter table district add foreign key (d_w_id) references warehouse (w_id)   ! all map
          alter table district add foreign key (d_w_id) references warehouse     ! all map
          alter table district add foreign key (d_id, d_w_id) references warehouse ! refused 0A000: the foreign key on "warehouse" does not name the columns it refers to
          alter table district add foreign key (d_id) references warehouse (w_id) ! refused 0A000: the foreign key from "district" to "warehouse" cannot be checked across shards: the key does not hold the sharding column "d_w_id"
          alter table district add foreign key (d_w_id, d_id) references warehouse (w_x, w_id) ! refused 0A000: the foreign key from "district" to "warehouse" cannot be checked across shards: the sharding columns do not refer to each other
          alter table district add foreign key (d_w_id) references elsewhere (e_id) ! refused 0A000: the foreign key from "district" to "elsewhere" cannot be checked across shards: the two tables are spread by different rules
          alter table district add foreign key (d_i) references item (i_id)      ! all map
          alter table item add foreign key (i_w) references warehouse (w_id)     ! refused 0A000: the foreign key from "item" to "warehouse" cannot be checked across shards: its rows are not on the same shards
          create table t (a int references warehouse)                            ! refused 0A000: the foreign key from "t" to "warehouse" cannot be checked across shards: its rows are not on the same shards
          create table t (a int references warehouse) partition by hash (a)      ! all map
          alter table warehouse attach partition item for values with (modulus 6, remainder 1) ! s1: drop table item | s2 tried map
          alter table item attach partition item_1 for values with (modulus 6, remainder 1) ! all map
          alter table warehouse_0 attach partition item for values in (1)        ! s1 | s2: drop table item tried map
          alter table warehouse detach partition warehouse_0 concurrently        ! s1 alone map
          create trigger t after insert on warehouse referencing new table as n execute function f() ! refused 0A000: a trigger on a sharded table cannot have transition tables: each shard has its own part of the changed rows
          create trigger t after insert on item referencing new table as n execute function f() ! all map
          create trigger t after insert on warehouse_0 referencing new table as n execute function f() ! s1 map
          create trigger t after insert on warehouse execute function f()        ! all map
          refresh materialized view m                                            ! all
          refresh materialized view warehouse_3 with no data                     ! s2
          refresh materialized view concurrently warehouse_3                     ! s2
          refresh materialized view concurrently m                               ! refused 0A000: REFRESH MATERIALIZED VIEW CONCURRENTLY over several shards is not supported
          create table t (like item)                                             ! all map
          create table t (like warehouse_0)                                      ! refused 0A000: the statement concerns every shard and names a table that only shard s1 has
          create table t (like warehouse_0, k int) with (shard = 1)              ! s1: create table t (like warehouse_0, k int) marked tried map
          create table t (like known including all) with (shard = 2)             ! s2: create table t (like known including all) tried map
          create table t (like known including all excluding constraints) with (shard = 2) ! s2: create table t (like known including all excluding constraints) marked tried map
          create table t (like warehouse_0) with (shard = 2)                     ! refused 0A000: the statement concerns every shard and names a table that only shard s1 has
          create publication p for table item, warehouse_3                       ! refused 0A000: the statement concerns every shard and names a table that only shard s2 has
          create foreign table f partition of warehouse_3 default server s       ! refused 0A000: the statement concerns every shard and names a table that only shard s2 has
          create rule r as on insert to item do also insert into warehouse_3 values (1) ! refused 0A000: the statement concerns every shard and names a table that only shard s2 has
          create rule r as on insert to warehouse_3 do also insert into warehouse_3 values (1) ! s2 map
          """)
  void keepsConstraintsWithinAShard(String sql, String expected) {
    assertThat(cluster().planned(sql)).isEqualTo(expected);
  }

  /** Each makes something of the name and drops it, in the same name space. */
  @Test
  void otherShardsKeepTheName() {
    assertThat(textsOf("create table t (a int) with (shard = 2)").get(0))
        .isEqualTo("create view \"public\".\"t\" as select 1; drop view \"public\".\"t\"");
    assertThat(textsOf("create statistics x.z on a, b from warehouse_3").get(0))
        .contains("create statistics \"x\".\"z\" on a, b from \"x\".\"shardmark statistics\"");
  }

  private static List<@Nullable String> textsOf(String sql) {
    return ((StatementPlan.Ddl) cluster().plan(sql)).statements();
  }

  @Test
  void aDetachedPartitionIsTableOfOneShard() {
    assertThat(cluster().planned("alter table warehouse detach partition warehouse_0"))
        .isEqualTo("s1 marked map");
  }

  @Test
  void otherShardsCheckTheBoundOfATableThatBecomesAPartition() {
    List<@Nullable String> texts =
        textsOf("alter table warehouse attach partition warehouse_3 default");
    assertThat(texts.get(0))
        .contains("create table warehouse_3 partition of \"public\".\"warehouse\" default")
        .contains("rollback to");
    assertThat(texts.get(1))
        .endsWith("; alter table warehouse_3 drop constraint if exists \"shardmark one shard\"");
  }

  @Test
  void givesStorageParametersToThePartitions() {
    assertThat(cluster().planned("alter table warehouse set (fillfactor = 50)"))
        .contains("pg_partition_tree('\"public\".\"warehouse\"')", "'set (fillfactor = 50)'")
        .endsWith(" map");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          create sequence s                                  ! s1: create sequence s increment by 2 start with 1 | s2: create sequence s increment by 2 start with 2 map
          create sequence if not exists i_3                  ! refused 0A000: IF NOT EXISTS would make "i_3" on other shards, and shard s2 has something of that name
          create sequence if not exists item_idx increment 5 ! s1: create sequence if not exists item_idx increment by 10 start with 1 | s2: create sequence if not exists item_idx increment by 10 start with 6 map
          create sequence s start 10 increment 5             ! s1: create sequence s increment by 10 start with 10 | s2: create sequence s increment by 10 start with 15 map
          create sequence s increment by -1                  ! s1: create sequence s increment by -2 start with -1 | s2: create sequence s increment by -2 start with -2 map
          create sequence s minvalue 0 maxvalue 9 cycle      ! refused 0A000: a sequence over several shards cannot cycle
          create sequence s minvalue 5 maxvalue 9            ! s1: create sequence s increment by 2 start with 5 minvalue 5 maxvalue 9 | s2: create sequence s increment by 2 start with 6 minvalue 5 maxvalue 9 map
          create sequence s cache 10 owned by account.aid    ! s1: create sequence s increment by 2 start with 1 cache 10 owned by account.aid | s2: create sequence s increment by 2 start with 2 cache 10 owned by account.aid map
          alter sequence s restart with 100                  ! s1 | s2: do $shardmark$ begin execute 'alter sequence s' || ' restart with ' || (100::numeric + 1 * coalesce((select seqincrement / 2 from pg_catalog.pg_sequence where seqrelid = pg_catalog.to_regclass('s')), 1)) || ''; end $shardmark$
          alter sequence s restart                           ! all
          alter sequence i_3 increment 7 restart 100         ! s2 map
          alter sequence s increment 7 restart 100           ! s1: alter sequence s increment by 14 restart with 100 | s2: alter sequence s increment by 14 restart with 107
          alter sequence s increment 7                       ! refused 0A000: a sequence's increment cannot change alone: the shards would give equal numbers
          alter sequence s cycle                             ! refused 0A000: a sequence over several shards cannot cycle
          alter sequence s owned by none                     ! all
          alter sequence s rename to start                   ! all map
          alter sequence s set schema x                      ! all map
          drop sequence if exists s                          ! all map
          create table t (a int, id serial not null) partition by hash (a)    ! s1: create table t (a int, id integer generated by default as identity (increment by 2 start with 1) not null) partition by hash (a) | s2: create table t (a int, id integer generated by default as identity (increment by 2 start with 2) not null) partition by hash (a) map
          create table teller (tid bigint generated always as identity)       ! s1: create table teller (tid bigint generated always as identity (increment by 2 start with 1)) | s2: create table teller (tid bigint generated always as identity (increment by 2 start with 2)) map
          create table teller (tid int generated by default as identity (start 5)) ! s1: create table teller (tid int generated by default as identity ( increment by 2 start with 5)) | s2: create table teller (tid int generated by default as identity ( increment by 2 start with 6)) map
          create table t (id serial)                         ! s1: create table t (id integer generated by default as identity (increment by 2 start with 1)) | s2: create table t (id integer generated by default as identity (increment by 2 start with 2)) map
          create table t (a int default nextval('s'))        ! all map
          alter table item alter column a set default now()  ! all map
          alter table item add column a int default 7        ! all map
          alter table warehouse alter column h set default nextval('s') ! all map
          """)
  void dealsSequencesToTheShards(String sql, String expected) {
    assertThat(cluster().planned(sql).replaceAll(" +", " "))
        .isEqualTo(expected.replaceAll(" +", " "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          drop table if exists warehouse cascade                  ! all map
          drop table warehouse_0, warehouse_3                     ! s1: drop table warehouse_0 | s2: drop table warehouse_3 map
          drop table item, warehouse_3                            ! s1: drop table item | s2 map
          drop table public.warehouse_3                           ! s2 map
          truncate table warehouse, item                          ! all
          truncate warehouse_0 cascade                            ! s1
          vacuum analyze                                          ! all alone
          vacuum (full, analyze) item                             ! all alone
          vacuum analyze "public"."warehouse_0"                   ! s1 alone
          analyze                                                 ! all alone
          analyze warehouse (w_id, w_ytd)                         ! all alone
          analyze warehouse_0 (w_id), item                        ! s1 | s2: analyze item alone
          reindex table item                                      ! all alone
          reindex table warehouse                                 ! all alone
          reindex table concurrently item                         ! all alone
          reindex (verbose) database x                            ! all alone
          cluster item using i                                    ! all alone
          cluster                                                 ! all alone
          refresh materialized view v                             ! all
          comment on table warehouse_3 is 'x'                     ! s2
          comment on column warehouse_3.w_id is 'x'               ! s2
          comment on column public.warehouse_0.w_id is 'x'        ! s1
          comment on table warehouse is 'x'                       ! all
          grant select on warehouse_0 to bench                    ! s1
          grant select (w_id), update on warehouse_0, item to a   ! s1 | s2: grant select (w_id), update on item to a
          grant all on all tables in schema public to bench       ! all
          grant admin to bench                                    ! all
          revoke insert on table item from bench                  ! all
          create schema x                                         ! all map
          create view v as select 1                               ! all map
          create extension pgcrypto                               ! all map
          create type c as enum ('a')                             ! all map
          create or replace function f() returns int as $$ select 1; $$ language sql ! all map
          drop function if exists f(integer)                      ! all map
          create user bench with password null                    ! all map
          create user a password 'SCRAM-SHA-256$4096:AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' ! all map
          create user mapping for a server b options (password 'x') ! all
          alter user mapping for a server b options (set password 'x') ! all
          create database bench with owner bench                  ! all alone
          drop database bench                                     ! all alone
          alter role bench set search_path to x                   ! all map
          alter role bench rename to driver                       ! all map
          drop role bench                                         ! all map
          alter system set work_mem = '1MB'                       ! all alone
          drop index i_3                                          ! s2
          drop index if exists public.i_3, i                      ! s1: drop index if exists i | s2
          drop index concurrently i_3                             ! s2 alone
          alter index i_3 rename to i_4                           ! s2 tried map
          alter index all in tablespace a set tablespace b        ! all
          reindex index i_3                                       ! s2 alone
          reindex index concurrently i_3                          ! s2 alone
          comment on index i_3 is 'x'                             ! s2
          comment on index i is 'x'                               ! all
          create trigger g before insert on warehouse_3 for each row execute function f() ! s2 map
          create or replace trigger g after update of w_id on item execute function f() ! all map
          create constraint trigger g after insert on warehouse_3 execute function f() ! s2 map
          drop trigger if exists g on warehouse_3                 ! s2 map
          alter trigger g on warehouse_0 rename to h              ! s1 map
          comment on trigger g on warehouse_0 is 'x'              ! s1
          comment on constraint c on warehouse_3 is 'x'           ! s2
          comment on constraint c on domain d is 'x'              ! all
          create policy p on warehouse_3 using (true)             ! s2 map
          create rule n as on insert to warehouse_3 do nothing    ! s2 map
          drop rule n on warehouse_3                              ! s2 map
          create statistics z on a, b from warehouse_3            ! s2 tried map
          create statistics (mcv) on a, (b + 1) from warehouse_3  ! s2: create statistics "warehouse_3_a_expr_stat" (mcv) on a, (b + 1) from warehouse_3 tried map
          create statistics on a, b from item                     ! all map
          create statistics if not exists z on a, b from item     ! all map
          create statistics if not exists z_3 on a, b from item   ! refused 0A000: IF NOT EXISTS would make "z_3" on other shards, and shard s2 has something of that name
          create statistics z_3 on a, b from item                 ! all map
          create statistics if not exists z_3 on a, b from warehouse_0 ! refused 0A000: IF NOT EXISTS would make "z_3" on shard s1, and shard s2 has something of that name
          alter statistics z_3 rename to z_4                      ! s2 tried map
          alter statistics if exists z_3 set schema x             ! s2 tried map
          drop statistics if exists public.z_3, z                 ! s1: drop statistics if exists z | s2 map
          drop statistics z_3                                     ! s2 map
          alter statistics z_3 set statistics 100                 ! s2 map
          comment on statistics z_3 is 'x'                        ! s2
          comment on statistics z is 'x'                          ! all
          do $$ begin end $$                                      ! by hand[]: DO over several shards is not supported
          """)
  void sendsTheRestWhereItsTablesAre(String sql, String expected) {
    assertThat(cluster().planned(sql)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          lock table warehouse in exclusive mode ! QueryPlan[access=LOCK, target=All[], strategy=Same[locked=[]], effects=[]]
          lock warehouse_3                       ! QueryPlan[access=LOCK, target=Fixed[shard=1], strategy=Same[locked=[]], effects=[]]
          lock warehouse_3, item                 ! refused 0A000: LOCK names tables of different shards
          lock item, warehouse_3                 ! refused 0A000: LOCK names tables of different shards
          """)
  void locksAreNoWrites(String sql, String expected) {
    assertThat(cluster().planned(sql)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          select setval('s', 7) ! SetSequence[sequence=('s')::pg_catalog.regclass, valueQuery=select pg_catalog.int8up(7)::pg_catalog.text || (true)::pg_catalog.bool::pg_catalog.text, called=, otherwise=, label=setval]
          SELECT pg_catalog.setval('public.s', 7, false) AS v ! SetSequence[sequence=('public.s')::pg_catalog.regclass, valueQuery=select pg_catalog.int8up(7)::pg_catalog.text || (false)::pg_catalog.bool::pg_catalog.text, called=, otherwise=, label=v]
          select setval('s'::regclass, (select max(a) from t), true) ! SetSequence[sequence=('s'::regclass)::pg_catalog.regclass, valueQuery=select max(a) from t, called=true, otherwise=, label=setval]
          select setval('s', coalesce((select max(a) from t), 1)) ! SetSequence[sequence=('s')::pg_catalog.regclass, valueQuery=select max(a) from t, called=true, otherwise=1, label=setval]
          select setval(pg_get_serial_sequence('t', 'a'), max(a), max(a) > 0) from t ! SetSequence[sequence=(pg_get_serial_sequence('t', 'a'))::pg_catalog.regclass, valueQuery=select pg_catalog.int8up(max(a))::pg_catalog.text || (max(a) > 0)::pg_catalog.bool::pg_catalog.text from t, called=, otherwise=, label=setval]
          select setval('s', a) v from t ! SetSequence[sequence=('s')::pg_catalog.regclass, valueQuery=select pg_catalog.int8up(a)::pg_catalog.text || (true)::pg_catalog.bool::pg_catalog.text from t, called=, otherwise=, label=v]
          select setval(lower('S'), 7)                                             ! by hand[]: this call of setval over several shards is not supported
          select setval('s', 7), 8                                    ! by hand[]: this call of setval over several shards is not supported
          select setval('s', $1) from t                                ! by hand[]: this call of setval over several shards is not supported
          """)
  void readsSetval(String sql, String expected) {
    assertThat(cluster().planned(sql)).isEqualTo(expected);
  }

  @Test
  void leavesOneShardAsItIs() {
    Cluster one = new Cluster("s1").reference("item");
    assertThat(one.planned("create table t (id serial, a timestamp default now())"))
        .isEqualTo("all map");
    assertThat(one.planned("create sequence s")).isEqualTo("all");
    assertThat(one.planned("create table t (a int) with (shard = 1)"))
        .isEqualTo("s1: create table t (a int) map");
    assertThat(one.planned("create unique index on item (i_name)")).isEqualTo("all");
  }

  @Test
  void whatEndsEarlyIsForTheServersToRefuse() {
    Cluster cluster = new Cluster("s1", "s2").sharded("t", "k", "h");
    String bound = "create table p partition of t for values with (modulus 2, remainder";
    assertThat(cluster.planned(bound)).contains("s").doesNotContain("refused");
    assertThat(cluster.planned("create table w (")).isEqualTo("all map");
    assertThat(cluster.planned("alter table t alter column")).startsWith("all");
  }
}
