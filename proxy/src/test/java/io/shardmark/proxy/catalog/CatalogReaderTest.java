package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The catalog of real databases. */
final class CatalogReaderTest {
  @TempDir private Path directory;
  private TwoShards shards;
  private CatalogReader reader;

  @BeforeEach
  void makeShards() throws SQLException, IOException {
    shards = TwoShards.create();
    reader = reader(shards.yaml());
  }

  @AfterEach
  void closeReader() {
    reader.close();
  }

  private CatalogReader reader(String yaml) throws IOException {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(file, yaml);
    return new CatalogReader(new ShardConnections(ProxyConfig.read(file)), Clock.systemUTC());
  }

  private CatalogReading read() {
    return reader.read(Map.of());
  }

  private static Sharding sharding(ShardMap map, String name) {
    return table(map, name).sharding();
  }

  private static Table table(ShardMap map, String name) {
    return Objects.requireNonNull(map.table(new TableName("public", name)), name);
  }

  /** Nobody listens at the first one. */
  @Test
  void aShardCountsWhenTheFirstThatAnswersSaysSo() throws SQLException, IOException {
    TwoShards others = TwoShards.create();
    String yaml = others.yaml().replace("{name: s1, port: " + others.port(), "{name: s1, port: 1");
    String last = shards.yaml().lines().filter(line -> line.contains("name: s2")).findFirst().get();
    try (CatalogReader late =
        reader(yaml.replace("users:", last.replace("name: s2", "name: s3") + "\nusers:"))) {
      late.count(2);
      assertThat(late.read(Map.of()).map().shards()).containsExactly("s1", "s2");
      others.execute(
          1,
          "create schema shardmark",
          "create table shardmark.addition as select 's3' as name, 2 as position, 'counts' as stage");
      assertThat(late.read(Map.of()).map().shards()).containsExactly("s1", "s2", "s3");
    }
  }

  /** A look takes one round trip also where shards have been added. */
  @Test
  void shardsThatHaveBeenAddedAreReadWithTheCatalog() throws SQLException {
    read();
    assertThat(reader.unknownShard()).isEmpty();
    shards.execute(
        0,
        "create schema shardmark",
        "create table shardmark.addition as select 's9' as name, 2 as position, 'done' as stage");
    read();
    assertThat(reader.unknownShard()).isEqualTo("s9");
    shards.execute(0, "update shardmark.addition set name = 's8'");
    read();
    assertThat(reader.unknownShard()).isEqualTo("s8");
    try (Connection connection = shards.connect(0);
        PreparedStatement latest =
            connection.prepareStatement(
                "select query from pg_stat_activity where datname = current_database()"
                    + " and application_name = 'shardmark proxy'");
        ResultSet rows = latest.executeQuery()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).startsWith("with since");
    }
    shards.execute(0, "drop table shardmark.addition");
    read();
    assertThat(reader.status().get(0).state()).isEqualTo(ShardStatus.ShardState.DOWN);
    read();
    assertThat(reader.status().get(0).state()).isEqualTo(ShardStatus.ShardState.UP);
  }

  /** What a function sets unseen would be the next client's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "plpgsql | begin update t set v = 1; insert into t values (2); return; end | false",
        "plpgsql | begin return; end -- set role x | false",
        "plpgsql | begin set role x; end | true",
        "plpgsql | begin /* a */ Set Role x; end | true",
        "plpgsql | begin if true then reset all; end if; end | true",
        "plpgsql | begin perform 1; /* a */ /* b */ set role x; /* c */ end | true",
        "plpgsql | begin perform '--'; set role x; end | true",
        "plpgsql | begin execute 'update t set v = 1'; end | true",
        "plpgsql | begin perform pg_catalog.set_config('role', 'x', false); end | true",
        "sql | update t set v = 1 | false",
        "sql | insert into t values (1) on conflict (v) do update set v = 3 | false",
        "sql | set search_path = x | true",
        "sql | select 1; set search_path = x | true",
      })
  void tellsWhetherFunctionsMaySet(String language, String body, boolean sets) throws SQLException {
    shards.executeOnBoth("create table t (v integer primary key)");
    assertThat(read().map().schemas().functionsSet()).isFalse();
    shards.executeOnBoth(
        "set check_function_bodies = off; create function f() returns void language %s as $f$%s$f$"
            .formatted(language, body));

    assertThat(read().map().schemas().functionsSet()).isEqualTo(sets);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create view v as select f() | BY_ALL",
        "create table d (v text default f()) | BY_WRITES",
        "create table d (v text check (f() <> v)) | BY_WRITES",
        "select 1 | NEVER",
      })
  void tellsWhatCallsFunctionsUnseen(String sql, Schemas.CalledUnseen expected)
      throws SQLException {
    shards.executeOnBoth(
        "create function f() returns text language sql as"
            + " 'select set_config(''work_mem'', ''4MB'', false)'; "
            + sql);
    assertThat(read().map().schemas().calledUnseen()).isEqualTo(expected);
  }

  @Test
  void hashPartitionsTellModulusAndPlacement() throws SQLException {
    shards.executeOnBoth(
        "create table t (w_id integer not null, v text collate \"C\") partition by hash (w_id)");
    for (int remainder = 0; remainder < 6; remainder++) {
      shards.execute(
          remainder / 3,
          "create table t_%d partition of t for values with (modulus 6, remainder %d)"
              .formatted(remainder, remainder));
    }
    shards.executeOnBoth("create table item (i_id integer primary key)");
    CatalogReading reading = read();

    assertThat(reading.problems()).isEmpty();
    assertThat(sharding(reading.map(), "t"))
        .isEqualTo(
            new Sharding.ByColumn(
                "w_id", KeyType.INTEGER, new HashRule(6, new int[] {0, 0, 0, 1, 1, 1})));
    assertThat(sharding(reading.map(), "t_2")).isEqualTo(new Sharding.OnShard(0));
    assertThat(sharding(reading.map(), "t_3")).isEqualTo(new Sharding.OnShard(1));
    assertThat(sharding(reading.map(), "item")).isEqualTo(new Sharding.Reference());
    assertThat(table(reading.map(), "t").columns())
        .containsExactly(new Column("w_id", 23, true), new Column("v", 25, true));
  }

  @Test
  void placesKeysWhereTheServersPartitionsTakeThem() throws SQLException {
    shards.executeOnBoth("create table t (k bigint) partition by hash (k)");
    shards.executeOnBoth("create table s (k text) partition by hash (k)");
    for (String table : List.of("t", "s")) {
      shards.execute(0, partition(table, 2, 0));
      shards.execute(1, partition(table, 4, 1), partition(table, 4, 3));
    }
    ShardMap map = read().map();

    List<Long> numbers = List.of(0L, 1L, -1L, 7L, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE);
    List<String> texts = List.of("", "a", "abcdefghijkl", "abcdefghijklm", "Müller", "𝄞 clef");
    for (Long number : numbers) {
      assertAccepted("t", map, number);
    }
    for (String text : texts) {
      assertAccepted("s", map, text);
    }
  }

  private static String partition(String table, int modulus, int remainder) {
    return "create table %s_%d_%d partition of %s for values with (modulus %d, remainder %d)"
        .formatted(table, modulus, remainder, table, modulus, remainder);
  }

  /** PostgreSQL takes the row on the shard of the rule, so the rule is the servers' own. */
  private void assertAccepted(String table, ShardMap map, Object key) throws SQLException {
    Sharding.ByColumn sharding = (Sharding.ByColumn) sharding(map, table);
    try (Connection connection = shards.connect(sharding.rule().shardOf(key));
        PreparedStatement insert =
            connection.prepareStatement("insert into " + table + " values (?)")) {
      insert.setObject(1, key);
      assertThat(insert.executeUpdate()).as("%s", key).isEqualTo(1);
    }
  }

  @Test
  void listAndRangePartitionsWithDefaults() throws SQLException {
    shards.executeOnBoth(
        "create table l (k text) partition by list (k)",
        "create table r (k integer) partition by range (k)");
    shards.execute(
        0,
        "create table l_0 partition of l for values in ('it''s', 'b, c', null)",
        "create table r_0 partition of r for values from (minvalue) to (-5)",
        "create table r_1 partition of r for values from (10) to (20)");
    shards.execute(
        1,
        "create table l_1 partition of l default",
        "create table r_2 partition of r for values from (-5) to (10)");
    CatalogReading reading = read();

    assertThat(reading.problems()).isEmpty();
    Sharding.ByColumn list = (Sharding.ByColumn) sharding(reading.map(), "l");
    assertThat(list.rule().shardOf("it's")).isZero();
    assertThat(list.rule().shardOf("b, c")).isZero();
    assertThat(list.rule().shardOf(null)).isZero();
    assertThat(list.rule().shardOf("x")).isEqualTo(1);
    Sharding.ByColumn range = (Sharding.ByColumn) sharding(reading.map(), "r");
    assertThat(List.of(-1000L, -6L, -5L, 9L, 10L, 19L, 20L).stream().map(range.rule()::shardOf))
        .containsExactly(0, 0, 1, 1, 0, 0, -1);
    assertThat(range.rule().shardOf(null)).isEqualTo(-1);
  }

  @Test
  void tablesThatDifferBetweenShardsAreUnroutableAndNamed() throws SQLException {
    shards.execute(
        0, "create table differs (a integer, b text)", "create table lonely (a integer)");
    shards.execute(1, "create table differs (a integer, b integer)");
    CatalogReading reading = read();

    assertThat(reading.problems())
        .containsExactlyInAnyOrder(
            "public.differs has columns that differ: b text on shard s1 and not so on shard s2;"
                + " statements on it are refused",
            "public.lonely is on shard s1 only; statements on it are refused");
    assertThat(sharding(reading.map(), "differs")).isInstanceOf(Sharding.Unroutable.class);
    assertThat(sharding(reading.map(), "lonely"))
        .isEqualTo(new Sharding.Unroutable("is on shard s1 only"));
  }

  @Test
  void faultyPartitionsAreNamed() throws SQLException {
    shards.executeOnBoth(
        "create table twice (k integer) partition by hash (k)",
        "create table gap (k integer) partition by hash (k)",
        "create table pair (k integer, l integer) partition by hash (k, l)",
        "create table stamps (k timestamptz) partition by range (k)");
    shards.execute(0, partition("twice", 2, 0), partition("gap", 4, 0), partition("pair", 2, 0));
    shards.execute(1, partition("twice", 2, 0), partition("twice", 2, 1), partition("gap", 4, 2));
    shards.execute(0, "create table stamps_0 partition of stamps default");
    CatalogReading reading = read();

    assertThat(reading.problems())
        .containsExactlyInAnyOrder(
            "public.twice has remainder 0 of modulus 2 on shards s1 and s2;"
                + " statements on it are refused",
            "public.gap has no partition for remainders 1, 3 of modulus 4;"
                + " rows that belong there are refused",
            "public.pair is partitioned by several columns; a single one is supported;"
                + " statements on it are refused",
            "public.stamps has the sharding column k of type timestamp with time zone,"
                + " which cannot be one: use smallint, integer, bigint, uuid, or text or varchar with"
                + " a deterministic collation; statements on it are refused");
    Sharding.ByColumn gap = (Sharding.ByColumn) sharding(reading.map(), "gap");
    assertThat(gap.rule()).isEqualTo(new HashRule(4, new int[] {0, -1, 1, -1}));
  }

  @Test
  void subpartitionsFollowTheirPartition() throws SQLException {
    shards.executeOnBoth("create table t (w integer, d integer) partition by hash (w)");
    for (int shard = 0; shard < 2; shard++) {
      String name = "t_2_" + shard;
      shards.execute(
          shard,
          partition("t", 2, shard) + " partition by range (d)",
          "create table %s_low partition of %s for values from (minvalue) to (0)"
              .formatted(name, name));
    }
    CatalogReading reading = read();

    assertThat(reading.problems()).isEmpty();
    assertThat(sharding(reading.map(), "t"))
        .isEqualTo(new Sharding.ByColumn("w", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)));
    assertThat(sharding(reading.map(), "t_2_1_low")).isEqualTo(new Sharding.OnShard(1));
  }

  @Test
  void partitionsOfOneNameWithDifferentBoundsAreTwo() throws SQLException {
    shards.executeOnBoth(
        "create table t (w integer) partition by hash (w)",
        "create table r (w integer) partition by hash (w)");
    for (int shard = 0; shard < 2; shard++) {
      shards.execute(
          shard,
          "create table mine partition of t for values with (modulus 2, remainder " + shard + ")",
          partition("r", 2, 0),
          partition("r", 2, 1));
    }
    CatalogReading reading = read();

    assertThat(sharding(reading.map(), "t"))
        .isEqualTo(new Sharding.ByColumn("w", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)));
    assertThat(sharding(reading.map(), "mine")).isEqualTo(sharding(reading.map(), "t"));
    assertThat(sharding(reading.map(), "r")).isEqualTo(new Sharding.Reference());
    assertThat(reading.problems())
        .containsExactly("public.r has all its partitions on every shard: it is a reference table");
  }

  @Test
  void viewsAreRoutableOverReferenceTablesOnly() throws SQLException {
    shards.executeOnBoth(
        "create table item (i integer)",
        "create table t (w integer) partition by hash (w)",
        "create view items as select * from item",
        "create view both_of_them as select * from items, t");
    shards.execute(0, partition("t", 2, 0));
    shards.execute(1, partition("t", 2, 1));
    ShardMap map = read().map();

    assertThat(sharding(map, "items")).isEqualTo(new Sharding.Reference());
    assertThat(sharding(map, "both_of_them"))
        .isEqualTo(new Sharding.Unroutable("is a view over sharded tables"));
  }

  @Test
  void theConfigurationShardsPlainTables() throws SQLException {
    shards.executeOnBoth(
        "create table accounts (aid integer, bid integer)", "create table plain (a integer)");
    CatalogReading reading = reader.read(Map.of("accounts", "aid", "nowhere", "x"));

    assertThat(sharding(reading.map(), "accounts"))
        .isEqualTo(new Sharding.ByColumn("aid", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)));
    assertThat(sharding(reading.map(), "plain")).isEqualTo(new Sharding.Reference());
    assertThat(reading.problems())
        .containsExactly("nowhere is named under sharding, but no shard has such a table");
  }

  @Test
  void readsAgainOnlyWhatChanged() throws SQLException {
    shards.executeOnBoth("create table t (a integer)");
    ShardMap first = read().map();
    assertThat(read().map()).isSameAs(first);

    shards.executeOnBoth("alter table t add b text");
    ShardMap second = read().map();
    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(table(second, "t").columns()).hasSize(2);

    shards.executeOnBoth("alter table t drop column b");
    assertThat(table(read().map(), "t").columns()).hasSize(1);
    shards.executeOnBoth("drop table t");
    assertThat(read().map().tables()).isEmpty();
  }

  @Test
  void aShardThatIsDownAtStartHasTheRemaindersNobodyElseHas() throws SQLException, IOException {
    shards.executeOnBoth(
        "create table t (w integer) partition by hash (w)",
        "create table l (k integer) partition by list (k)",
        "create table whole (w integer) partition by hash (w)",
        "create table item (i integer)");
    shards.execute(
        0,
        partition("t", 2, 0),
        partition("whole", 1, 0),
        "create table l_1 partition of l for values in (1)");
    reader.close();
    reader = reader(shards.yaml().replace("s2, port: " + shards.port(), "s2, port: 1"));
    CatalogReading reading = read();

    assertThat(reader.status().stream().map(ShardStatus::state))
        .containsExactly(ShardStatus.ShardState.UP, ShardStatus.ShardState.DOWN);
    assertThat(sharding(reading.map(), "t"))
        .isEqualTo(new Sharding.ByColumn("w", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)));
    // On this shard only, or on each? Nobody can tell yet.
    assertThat(sharding(reading.map(), "whole")).isInstanceOf(Sharding.Unroutable.class);
    assertThat(sharding(reading.map(), "item")).isEqualTo(new Sharding.Reference());
    assertThat(sharding(reading.map(), "l"))
        .isEqualTo(new Sharding.Unroutable("cannot be routed until shard s2 has been read"));
  }

  @Test
  void agreesWithSatisfiesHashPartition() throws SQLException {
    shards.executeOnBoth("create table t (k text) partition by hash (k)");
    shards.execute(0, partition("t", 3, 0), partition("t", 3, 1), partition("t", 3, 2));
    try (Connection connection = shards.connect(0);
        PreparedStatement statement =
            connection.prepareStatement(
                "select satisfies_hash_partition('t'::regclass, 3, ?, ?::text)")) {
      HashRule rule = new HashRule(3, new int[] {0, 1, 2});
      for (int length = 0; length < 40; length++) {
        String key = "key-éß".repeat(7).substring(0, length);
        statement.setInt(1, rule.shardOf(key));
        statement.setString(2, key);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          assertThat(row.getBoolean(1)).as(key).isTrue();
        }
      }
    }
  }
}
