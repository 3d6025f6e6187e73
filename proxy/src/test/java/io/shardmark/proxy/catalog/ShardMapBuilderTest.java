package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.catalog.CatalogTable.PartitionKey;
import io.shardmark.proxy.catalog.CatalogTable.TableKind;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** From the tables of each shard to the one map. */
final class ShardMapBuilderTest {
  private static final int INT4 = 23;
  private static final ShardFacts FACTS =
      new ShardFacts("18.0", "UTF8", "C", "", true, 10, 100, 3, "1/1", false, "shardmark", true);

  /** By shard, then by name. */
  private final List<Map<TableName, CatalogTable>> shards =
      List.of(new HashMap<>(), new HashMap<>());

  private final Map<String, String> configured = new HashMap<>();
  private List<String> problems = List.of();

  private static TableName name(String name) {
    return new TableName("public", name);
  }

  private static CatalogColumn column(String name, String type) {
    return new CatalogColumn(new Column(name, INT4, true), type, "", true);
  }

  private static CatalogTable table(String name, TableKind kind, CatalogColumn... columns) {
    return new CatalogTable(
        name(name),
        kind,
        List.of(columns),
        Optional.empty(),
        Optional.empty(),
        "",
        Set.of(),
        Set.of(),
        Optional.empty(),
        false);
  }

  private static CatalogTable plain(String name) {
    return table(name, TableKind.TABLE, column("k", "integer"));
  }

  private static CatalogTable partitioned(String name, char strategy, String... key) {
    CatalogTable t = table(name, TableKind.PARTITIONED, column("k", "integer"));
    return new CatalogTable(
        t.name(),
        t.kind(),
        t.columns(),
        Optional.of(new PartitionKey(strategy, List.of(key), true)),
        t.parent(),
        t.bound(),
        t.uses(),
        t.reactions(),
        t.rowTrigger(),
        t.ofOneShard());
  }

  private static CatalogTable partition(String name, String parent, String bound) {
    CatalogTable t = plain(name);
    return new CatalogTable(
        t.name(),
        t.kind(),
        t.columns(),
        t.key(),
        Optional.of(name(parent)),
        bound,
        t.uses(),
        t.reactions(),
        t.rowTrigger(),
        t.ofOneShard());
  }

  private static CatalogTable view(String name, String... uses) {
    CatalogTable t = table(name, TableKind.VIEW, column("k", "integer"));
    return new CatalogTable(
        t.name(),
        t.kind(),
        t.columns(),
        t.key(),
        t.parent(),
        t.bound(),
        Set.of(Stream.of(uses).map(ShardMapBuilderTest::name).toArray(TableName[]::new)),
        t.reactions(),
        t.rowTrigger(),
        t.ofOneShard());
  }

  /** With a trigger before its rows, or the mark of a table of one shard. */
  private static CatalogTable with(CatalogTable t, Optional<String> trigger, boolean ofOneShard) {
    return new CatalogTable(
        t.name(),
        t.kind(),
        t.columns(),
        t.key(),
        t.parent(),
        t.bound(),
        t.uses(),
        t.reactions(),
        trigger,
        ofOneShard);
  }

  private void on(int shard, CatalogTable... tables) {
    Stream.of(tables).forEach(table -> shards.get(shard).put(table.name(), table));
  }

  private void everywhere(CatalogTable... tables) {
    on(0, tables);
    on(1, tables);
  }

  private ShardMap map() {
    List<Optional<ShardCatalog>> catalogs = new ArrayList<>();
    for (Map<TableName, CatalogTable> tables : shards) {
      catalogs.add(
          Optional.of(
              new ShardCatalog(
                  FACTS, CatalogRows.NONE, tables, Set.of(), Set.of(), Schemas.NONE, Map.of())));
    }
    CatalogReading reading = new ShardMapBuilder(List.of("a", "b"), catalogs, configured).build(1);
    problems = reading.problems();
    return reading.map();
  }

  private Sharding of(String name) {
    return Objects.requireNonNull(map().tables().get(name(name))).sharding();
  }

  private String reason(String name) {
    return of(name) instanceof Sharding.Unroutable unroutable ? unroutable.reason() : "";
  }

  @Test
  void aPlainTableOfAllShardsIsReferenceTable() {
    everywhere(plain("t"));
    assertThat(of("t")).isEqualTo(new Sharding.Reference());
    assertThat(problems).isEmpty();
  }

  @Test
  void aTableOfOneShardNeedsItsMark() {
    on(0, plain("t"));
    on(1, with(plain("marked"), Optional.empty(), true));
    assertThat(reason("t")).isEqualTo("is on shard a only");
    assertThat(of("marked")).isEqualTo(new Sharding.OnShard(1, true));
    assertThat(problems)
        .containsExactly("public.t is on shard a only; statements on it are refused");
  }

  @Test
  void partitionsOnDifferentShardsSpreadTheirTable() {
    everywhere(partitioned("t", 'l', "k"));
    on(0, partition("t_0", "t", "FOR VALUES IN (1)"));
    on(1, partition("t_1", "t", "FOR VALUES IN (2)"));
    assertThat(of("t"))
        .isInstanceOfSatisfying(
            Sharding.ByColumn.class,
            by -> {
              assertThat(by.column()).isEqualTo("k");
              assertThat(by.rule().shardOf(2L)).isEqualTo(1);
            });
    assertThat(of("t_1")).isEqualTo(new Sharding.OnShard(1));
  }

  /** Its shard would take rows that belong to partitions elsewhere. */
  @Test
  void aDefaultPartitionIsNotCheckedByItsShardAlone() {
    everywhere(partitioned("t", 'l', "k"));
    on(0, partition("t_0", "t", "FOR VALUES IN (1)"));
    on(1, partition("rest", "t", "DEFAULT"));
    assertThat(of("rest")).isEqualTo(new Sharding.OnShard(1, false, Optional.of("k")));
    shards.get(1).remove(name("rest"));
    on(0, partition("rest", "t", "DEFAULT"));
    assertThat(of("rest")).isEqualTo(new Sharding.OnShard(0));
  }

  @Test
  void partitionsThatAllShardsHaveAreCopies() {
    everywhere(partitioned("t", 'r', "k"), partition("t_0", "t", "FOR VALUES FROM (1) TO (2)"));
    assertThat(of("t")).isEqualTo(new Sharding.Reference());
    assertThat(of("t_0")).isEqualTo(new Sharding.Reference());
  }

  @Test
  void keysOfSeveralColumnsAndExpressionsAreNotSupported() {
    everywhere(partitioned("several", 'h', "k", "k"), partitioned("expression", 'h'));
    on(0, partition("s_0", "several", "FOR VALUES WITH (modulus 2, remainder 0)"));
    on(0, partition("e_0", "expression", "FOR VALUES WITH (modulus 2, remainder 0)"));
    assertThat(reason("several")).contains("several columns");
    assertThat(reason("expression")).contains("by an expression");
    assertThat(of("s_0")).isEqualTo(new Sharding.OnShard(0));
  }

  @Test
  void tablesThatDifferAreUnroutable() {
    on(0, plain("t"), plain("kind"));
    on(1, table("t", TableKind.TABLE, column("k", "text")), view("kind"));
    assertThat(reason("t")).startsWith("has columns that differ: k integer on shard a");
    assertThat(reason("kind")).isEqualTo("is a table on shard a and a view on shard b");
  }

  @Test
  void theConfigurationSpreadsPlainTables() {
    everywhere(plain("t"), with(plain("u"), Optional.of("before_u"), false));
    configured.putAll(Map.of("t", "k", "public.u", "k", "gone", "k"));
    assertThat(of("t")).isInstanceOf(Sharding.ByColumn.class);
    assertThat(reason("u")).startsWith("has the trigger before_u");
    assertThat(problems)
        .anyMatch(
            line -> line.equals("gone is named under sharding, but no shard has such a table"));
  }

  @Test
  void viewsAreWhereTheirTablesAre() {
    everywhere(
        plain("r"), partitioned("t", 'l', "k"), view("of_r", "r"), view("of_t", "of_r", "t"));
    on(0, partition("t_0", "t", "FOR VALUES IN (1)"), view("of_t_0", "t_0", "r"));
    on(1, partition("t_1", "t", "FOR VALUES IN (2)"), view("of_r_alone", "r"));
    assertThat(of("of_r")).isEqualTo(new Sharding.Reference());
    assertThat(reason("of_t")).isEqualTo("is a view over sharded tables");
    assertThat(of("of_t_0")).isEqualTo(new Sharding.OnShard(0, true));
    assertThat(reason("of_r_alone")).isEqualTo("is a view that is on shard b only");
  }

  @Test
  void whatNoPartitionHasYetKeepsItsKey() {
    everywhere(partitioned("t", 'h', "k"));
    assertThat(map().bare()).isEqualTo(Map.of(name("t"), "k"));
  }
}
