package io.shardmark.sql.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.TestPostgres;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptParser;
import io.shardmark.sql.script.ScriptPart;
import io.shardmark.sql.script.ScriptStep;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ShardedScriptTest {
  private static final Pattern PLACED = Pattern.compile("(?s)(.*) with \\(shard = (\\d+)\\)");
  private static final ScriptLocator LOCATOR =
      ScriptLocator.forShards(
          Path.of("target"), DatabaseKind.POSTGRES, ScriptStep.scripts(), "sql.sharded");

  private static List<ScriptPart> parts(String text) {
    return ScriptParser.parse(new Script("test", text));
  }

  private static List<String> statements(List<ScriptPart> parts) {
    return parts.stream()
        .filter(ScriptPart.Statement.class::isInstance)
        .map(part -> ((ScriptPart.Statement) part).text())
        .toList();
  }

  @Test
  void addsThePartitionsOfATable() {
    List<ScriptPart> script =
        parts(
            "create table c (i int);\n-- note\ncreate table t (\n  a int\n) PARTITION BY HASH (a);\n");
    List<HashPartition> layout = List.of(new HashPartition(2, 0, 0), new HashPartition(2, 1, 1));

    assertThat(ShardedScript.firstToExpand(script)).isEqualTo(2);
    assertThat(statements(ShardedScript.withPartitions(script, layout)))
        .containsExactly(
            "create table c (i int)",
            "create table t (\na int\n) PARTITION BY HASH (a)",
            "create table t_0 partition of t for values with (modulus 2, remainder 0) with (shard = 1)",
            "create table t_1 partition of t for values with (modulus 2, remainder 1) with (shard = 2)");
  }

  @Test
  void leavesAScriptAloneThatNamesItsPartitions() {
    List<ScriptPart> script =
        parts(
            """
            create table t (a int) partition by hash(a);
            create table t_x partition of t for values with (MODULUS 1, REMAINDER 0) with (shard = 1);
            """);

    assertThat(ShardedScript.firstToExpand(script)).isEqualTo(script.size());
    assertThat(ShardedScript.withPartitions(script, List.of(new HashPartition(1, 0, 0))))
        .isEqualTo(script);
  }

  @Test
  void storageParametersGoToThePartitions() {
    ShardMap map =
        ShardMap.of(
            List.of(
                new ShardMap.ShardMapRow(
                    "t", "hash", "a", 2, 0, null, new Shard(0, "s1", "h", 1, "d")),
                new ShardMap.ShardMapRow(
                    "t", "hash", "a", 2, 1, null, new Shard(1, "s2", "h", 2, "d"))));

    assertThat(
            statements(
                ShardedScript.withStorageOfPartitions(
                    parts(
                        "alter table t set (fillfactor = 80);\nalter table c set (fillfactor = 9);\n"),
                    map)))
        .containsExactly(
            "alter table t_0 set (fillfactor = 80)",
            "alter table t_1 set (fillfactor = 80)",
            "alter table c set (fillfactor = 9)");
  }

  /**
   * What the proxy makes of the built-in scripts: every shard gets all tables, but only its own
   * partitions. The keys of the build, foreign keys included, must be possible there.
   */
  @Test
  void aShardTakesTheWholeBuildWithItsOwnPartitionsAlone() throws SQLException {
    List<HashPartition> layout = HashLayout.of(6, 2, 1);
    for (int shard = 0; shard < 2; shard++) {
      ConnectionConfig database = TestPostgres.newDatabase();
      try (Connection connection = TestPostgres.open(database);
          Statement statement = connection.createStatement()) {
        for (String text :
            statements(
                ShardedScript.withPartitions(
                    ScriptParser.parse(LOCATOR.locate(ScriptStep.TABLE_CREATES)), layout))) {
          Optional<String> here = onShard(text, shard);
          if (here.isPresent()) {
            statement.execute(here.get());
          }
        }
        for (ScriptStep step :
            List.of(ScriptStep.INDEX_CREATES, ScriptStep.FOREIGN_KEYS, ScriptStep.EXTRA_HIST_ID)) {
          for (String text : statements(ScriptParser.parse(LOCATOR.locate(step)))) {
            statement.execute(text);
          }
        }
        assertThat(placedWarehouses(statement)).isEqualTo(expectedWarehouses(layout, shard));
        assertThat(
                count(
                    statement,
                    "select count(*) from pg_constraint where contype = 'f' and conparentid = 0"))
            .isEqualTo(8);
      }
    }
  }

  private static Optional<String> onShard(String text, int shard) {
    Matcher placed = PLACED.matcher(text);
    if (!placed.matches()) {
      return Optional.of(text);
    }
    return Integer.parseInt(placed.group(2)) == shard + 1
        ? Optional.of(placed.group(1))
        : Optional.empty();
  }

  /** The server decides: a row that no partition takes is refused. */
  private static List<Integer> placedWarehouses(Statement statement) throws SQLException {
    List<Integer> placed = new java.util.ArrayList<>();
    for (int warehouse = 1; warehouse <= 6; warehouse++) {
      try {
        statement.execute("insert into bmsql_warehouse (w_id) values (" + warehouse + ")");
        placed.add(warehouse);
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("23514");
      }
    }
    return placed;
  }

  private static List<Integer> expectedWarehouses(List<HashPartition> layout, int shard) {
    List<ShardMap.ShardMapRow> rows =
        layout.stream()
            .map(
                part ->
                    new ShardMap.ShardMapRow(
                        "bmsql_warehouse",
                        "hash",
                        "w_id",
                        part.modulus(),
                        part.remainder(),
                        null,
                        new Shard(part.shard(), "s" + part.shard(), "h", 1, "d")))
            .toList();
    int[] shardOf = ShardMap.of(rows).shardsOf("bmsql_warehouse", 6).orElseThrow();
    return java.util.stream.IntStream.rangeClosed(1, 6)
        .filter(warehouse -> shardOf[warehouse] == shard)
        .boxed()
        .toList();
  }

  private static int count(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void aServerAloneHasNoShardMap() throws SQLException {
    try (Connection connection = TestPostgres.open(TestPostgres.newDatabase());
        Statement statement = connection.createStatement()) {
      assertThat(ShardMapReader.read(connection)).isEmpty();

      connection.setAutoCommit(false);
      assertThat(ShardMapReader.read(connection)).isEmpty();
      assertThat(count(statement, "select 1")).isEqualTo(1);
    }
  }
}
