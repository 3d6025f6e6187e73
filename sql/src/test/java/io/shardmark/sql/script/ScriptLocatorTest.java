package io.shardmark.sql.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.script.ScriptPart.Statement;
import io.shardmark.sql.shards.Sharding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScriptLocatorTest {
  @TempDir private Path directory;

  private void write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Script locate(DatabaseKind database, String name) {
    return new ScriptLocator(directory, database, ScriptStep.scripts()).locate(name);
  }

  @Test
  void takesAnExistingFileFirst() throws IOException {
    write("my.sql", "select 1;");
    write("sql.common/my.sql.sql", "select 2;");
    assertThat(locate(DatabaseKind.POSTGRES, "my.sql"))
        .isEqualTo(new Script("my.sql", "select 1;"));
  }

  @Test
  void prefersTheVendorFolderOfTheWorkingDirectoryToItsCommonFolder() throws IOException {
    write("sql.common/tableCreates.sql", "common");
    write("sql.postgres/tableCreates.sql", "vendor");
    assertThat(locate(DatabaseKind.POSTGRES, "tableCreates"))
        .isEqualTo(new Script("./sql.postgres/tableCreates.sql", "vendor"));
    assertThat(locate(DatabaseKind.ORACLE, "tableCreates"))
        .isEqualTo(new Script("./sql.common/tableCreates.sql", "common"));
  }

  @Test
  void prefersTheBuiltInVendorScriptToTheBuiltInCommonOne() {
    assertThat(locate(DatabaseKind.POSTGRES, "buildFinish"))
        .satisfies(script -> assertThat(script.text()).contains("vacuum analyze;"))
        .extracting(Script::location)
        .isEqualTo("sql.postgres/buildFinish.sql (built in)");
    assertThat(locate(DatabaseKind.POSTGRES, "tableCreates").location())
        .isEqualTo("sql.common/tableCreates.sql (built in)");
  }

  @Test
  void looksForABenchmarksScriptsInItsFolder() throws IOException {
    write("sql.postgres/tableCreates.sql", "another benchmark's");
    write("mine/sql.common/tableCreates.sql", "mine");
    ScriptSet scripts =
        new ScriptSet("mine", List.of("tableCreates"), List.of(), List.of(), List.of());
    assertThat(new ScriptLocator(directory, DatabaseKind.POSTGRES, scripts).locate("tableCreates"))
        .isEqualTo(new Script("./mine/sql.common/tableCreates.sql", "mine"));
  }

  /** As BenchmarkSQL does: whose tables have keys already moves the scripts of keys away. */
  @Test
  void aStepThatIsMissingWithTablesOfTheUsersIsLeftOut() throws IOException {
    ScriptLocator locator = new ScriptLocator(directory, DatabaseKind.POSTGRES, scripts());
    write("sql.common/indexCreates.sql", "mine");
    assertThat(locator.isLeftOut("foreignKeys")).isFalse();
    write("sql.common/tableCreates.sql", "mine");
    assertThat(locator.isLeftOut("foreignKeys")).isTrue();
    assertThat(locator.isLeftOut("indexCreates")).isFalse();
    write("sql.postgres/foreignKeys.sql", "mine");
    assertThat(locator.isLeftOut("foreignKeys")).isFalse();
    assertThat(locator.locate("buildFinish").location()).startsWith("sql.postgres/buildFinish.sql");
    write("sql.common/buildFinish.sql", "-- Nothing to do after the build.\n");
    assertThat(locator.locate("buildFinish").location()).isEqualTo("./sql.common/buildFinish.sql");
  }

  /** A directory with copies of all scripts says no more than one without any. */
  @Test
  void aScriptThatNobodyChangedCountsAsBuiltIn() throws IOException {
    String text = locate(DatabaseKind.POSTGRES, "tableCreates").text();
    write("sql.common/tableCreates.sql", text);
    ScriptLocator shards =
        ScriptLocator.forShards(
            directory, DatabaseKind.POSTGRES, scripts(), Sharding.PROXY.scriptFolder());
    assertThat(shards.locate("tableCreates").location())
        .isEqualTo("sql.sharded/tableCreates.sql (built in)");
    assertThat(shards.isLeftOut("foreignKeys")).isFalse();
    write("sql.common/tableCreates.sql", text + "-- mine");
    assertThat(shards.locate("tableCreates").location()).isEqualTo("./sql.common/tableCreates.sql");
  }

  private static ScriptSet scripts() {
    return ScriptStep.scripts();
  }

  @Test
  void tablesOfTheUsersOwnGoBeforeTheBuiltInOnesForCitus() throws IOException {
    ScriptLocator locator =
        ScriptLocator.forShards(
            directory, DatabaseKind.POSTGRES, ScriptStep.scripts(), Sharding.CITUS.scriptFolder());
    assertThat(locator.locate("tableCreates").location())
        .isEqualTo("sql.citus/tableCreates.sql (built in)");
    assertThat(locator.locate("indexCreates").location())
        .isEqualTo("sql.common/indexCreates.sql (built in)");
    write("sql.sharded/tableCreates.sql", "the proxy's");
    assertThat(locator.locate("tableCreates").location()).startsWith("sql.citus/");
    write("sql.common/tableCreates.sql", "mine");
    assertThat(locator.locate("tableCreates").text()).isEqualTo("mine");
  }

  @Test
  void aLineOfAScriptStandsForABuiltInOne() throws IOException {
    write(
        "sql.postgres/tableTruncates.sql",
        "select 1;\n  -- include sql.common/tableTruncates.sql \nselect 2;");
    write("sql.common/tableTruncates.sql", "nothing of the working directory");
    List<ScriptPart> parts =
        ScriptParser.parse(locate(DatabaseKind.POSTGRES, "tableTruncates")).stream()
            .filter(part -> part instanceof Statement)
            .toList();
    assertThat(parts.get(0)).isEqualTo(new Statement(1, "select 1"));
    assertThat(parts.get(1)).isEqualTo(new Statement(2, "truncate table bmsql_new_order"));
    assertThat(parts.get(9)).isEqualTo(new Statement(2, "truncate table bmsql_warehouse"));
    assertThat(parts.get(10)).isEqualTo(new Statement(3, "select 2"));
    assertThat(parts).hasSize(11);
  }

  @Test
  void anIncludedScriptIncludesOthers() {
    ScriptLocator locator =
        ScriptLocator.forShards(
            directory, DatabaseKind.POSTGRES, ScriptStep.scripts(), Sharding.CITUS.scriptFolder());
    assertThat(ScriptParser.parse(locator.locate("foreignKeys")))
        .filteredOn(part -> part instanceof Statement)
        .extracting(part -> ((Statement) part).text())
        .hasSize(15)
        .startsWith("analyze bmsql_district (d_w_id, d_id)");
  }

  @Test
  void aLineThatIncludesNothingIsRefused() throws IOException {
    write("sql.postgres/tableTruncates.sql", "-- include sql.common/tables.sql");
    assertThatThrownBy(() -> locate(DatabaseKind.POSTGRES, "tableTruncates"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "./sql.postgres/tableTruncates.sql: \"-- include sql.common/tables.sql\" names no built-in script, expected one such as sql.common/tableCreates.sql");
  }

  @Test
  void aNumberedScriptIsRunOnceForEachTable() throws IOException {
    write("sql.common/tableCreates.sql", "create table t${n} (a int);\n-- of t${n}");
    write("sql.common/tableDrops.sql", "drop table t;");
    ScriptSet scripts =
        new ScriptSet("", List.of("tableCreates"), List.of(), List.of("tableDrops"), List.of(), 2);
    ScriptLocator locator = new ScriptLocator(directory, DatabaseKind.POSTGRES, scripts);
    assertThat(locator.locate("tableCreates").text())
        .isEqualTo("create table t1 (a int);\n-- of t1\ncreate table t2 (a int);\n-- of t2");
    assertThat(locator.locate("tableDrops").text()).isEqualTo("drop table t;");
  }

  @Test
  void givesMariaDbTheScriptsOfMySql() throws IOException {
    assertThat(locate(DatabaseKind.MARIADB, "tableCreates").location())
        .isEqualTo("sql.mysql/tableCreates.sql (built in)");
    write("sql.mysql/tableCreates.sql", "mysql");
    assertThat(locate(DatabaseKind.MARIADB, "tableCreates").text()).isEqualTo("mysql");
    write("sql.mariadb/tableCreates.sql", "mariadb");
    assertThat(locate(DatabaseKind.MARIADB, "tableCreates").text()).isEqualTo("mariadb");
  }

  @ParameterizedTest
  @EnumSource(DatabaseKind.class)
  void hasEveryStepOfBuildAndDestroyBuiltIn(DatabaseKind database) {
    ScriptLocator locator = new ScriptLocator(directory, database, ScriptStep.scripts());
    for (ScriptStep step : ScriptStep.values()) {
      if (step != ScriptStep.TABLE_COPIES || database == DatabaseKind.POSTGRES) {
        assertThat(ScriptParser.parse(locator.locate(step))).as("%s", step).isNotNull();
      }
    }
  }

  @Test
  void saysWhichPlacesWereSearched() {
    assertThatThrownBy(() -> locate(DatabaseKind.ORACLE, "tableCopies"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Cannot locate SQL file for tableCopies: no tableCopies.sql in sql.oracle, sql.common of"
                + " the working directory "
                + directory.toAbsolutePath().normalize()
                + " nor built in; expected a file that ends in .sql, or a step: tableCreates, extraCommandsBeforeLoad, storedProcedureCreates, indexCreates, foreignKeys, extraHistID, buildFinish, tableDrops, storedProcedureDrops, indexDrops, tableTruncates, tableCopies");
  }

  @Test
  void namesTheFileThatIsNotThereOnce() {
    assertThatThrownBy(() -> locate(DatabaseKind.ORACLE, "nofile.sql"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Cannot locate SQL file for nofile.sql: no such file in the working directory "
                + directory.toAbsolutePath().normalize());
  }

  @Test
  void refusesAFileThatIsNotText() throws IOException {
    Files.write(directory.resolve("bad.sql"), new byte[] {(byte) 0xC3, (byte) 0x28});
    assertThatThrownBy(() -> locate(DatabaseKind.POSTGRES, "bad.sql"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("bad.sql: is not UTF-8 text, expected a SQL script");
  }
}
