package io.shardmark.driver.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptSet;
import io.shardmark.sql.script.ScriptStep;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a real PostgreSQL with a small schema. */
final class InventoryTest {
  private static final Set<String> KEYS = Set.of("a_pkey", "b_a_fkey", "a_idx");

  private String database = "";

  @BeforeEach
  void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    execute(
        """
        CREATE TABLE my_a (i int CONSTRAINT a_pkey PRIMARY KEY, j int);
        CREATE TABLE my_b (k int, i int CONSTRAINT b_a_fkey REFERENCES my_a);
        CREATE UNIQUE INDEX a_idx ON my_a (j);
        CREATE TABLE yours (i int PRIMARY KEY);
        INSERT INTO my_a VALUES (1, 1), (2, 2)
        """);
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private Map<String, String> facts(String... sessionSettings) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      for (String setting : sessionSettings) {
        statement.execute(setting);
      }
      connection.setAutoCommit(false);
      return Inventory.read(
          connection,
          DatabaseKind.POSTGRES,
          new Inventory.InventoryScope(
              "my_", "my_journal", KEYS, Optional.of("SELECT count(*) FROM my_a")));
    }
  }

  @Test
  void aSchemaAsItWasBuiltIsSaidToBeThat() throws SQLException {
    Map<String, String> facts = facts();
    assertThat(facts)
        .containsEntry(SystemFacts.KEYS, "3")
        .containsEntry(SystemFacts.HEADLINES_AT_START, "2")
        .containsEntry("setting.fsync", "off")
        .containsKeys(SystemFacts.BYTES_AT_START, SystemFacts.OTHER_SESSIONS)
        .doesNotContainKeys(SystemFacts.KEYS_MISSING, SystemFacts.KEYS_EXTRA, SystemFacts.TABLES)
        .doesNotContainKeys("setting.port", "setting.application_name", "setting.TimeZone");
    assertThat(SystemFacts.tables(facts)).isEqualTo("as built");
    assertThat(SystemFacts.extensions(facts)).isEqualTo("none");
  }

  @Test
  void keysThatAreMissingOrMoreAndKindsOfTablesAreTold() throws SQLException {
    execute(
        "ALTER TABLE my_b DROP CONSTRAINT b_a_fkey",
        "CREATE INDEX mine ON my_b (k) WHERE k > 5",
        "ALTER TABLE my_b SET UNLOGGED",
        "ALTER TABLE my_a SET (fillfactor = 50)");
    Map<String, String> facts = facts();
    assertThat(SystemFacts.tables(facts))
        .isEqualTo(
            "without b_a_fkey; with my_b USING btree (k) WHERE (k > 5); my_a fillfactor=50; my_b"
                + " unlogged");
  }

  @Test
  void aBuildThatDidNotEndIsAmongTheMissingKeys() throws SQLException {
    execute("CREATE TABLE my_journal (unit varchar(40))");
    assertThat(facts()).containsEntry(SystemFacts.KEYS_MISSING, SystemFacts.BUILD_UNFINISHED);
    execute("ALTER TABLE my_b DROP CONSTRAINT b_a_fkey");
    assertThat(facts()).containsEntry(SystemFacts.KEYS_MISSING, "the build did not end; b_a_fkey");
  }

  @Test
  void settingsOfTheSessionAndTheDatabaseCount() throws SQLException {
    execute("ALTER DATABASE " + database + " SET work_mem = '7MB'");
    assertThat(SystemFacts.settings(facts("SET synchronous_commit = off")))
        .contains("synchronous_commit=off; ", "work_mem=7MB");
  }

  @Test
  void settingsThatDecideWhatACommitSurvivesAreRead() throws SQLException {
    execute("ALTER TABLE my_b SET UNLOGGED");
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = local");
      connection.setAutoCommit(false);
      assertThat(GuaranteeReader.read(connection, DatabaseKind.POSTGRES, Optional.empty(), "my_"))
          .containsEntry("guarantee.fsync", "off")
          .containsEntry("guarantee.synchronous_commit", "local")
          .containsEntry("guarantee.synchronous_standby_names", "none")
          .containsEntry("guarantee.unlogged_tables", "my_b")
          .hasEntrySatisfying(
              "guarantee.data_size", size -> assertThat(size).matches("\\d+ (bytes|kB)"));
      assertThat(GuaranteeReader.read(connection, DatabaseKind.ORACLE, Optional.empty(), "my_"))
          .hasEntrySatisfying(
              "guarantee.settings", text -> assertThat(text).startsWith("not readable: "));
    }
  }

  @Test
  void whatMayNotBeReadIsSaidAndTheRestIsRead() throws SQLException {
    try (Connection connection = SharedPostgres.connect(database)) {
      connection.setAutoCommit(false);
      Map<String, String> facts =
          Inventory.read(
              connection,
              DatabaseKind.ORACLE,
              new Inventory.InventoryScope(
                  "my_", "my_journal", KEYS, Optional.of("SELECT count(*) FROM my_a")));
      assertThat(facts.get(SystemFacts.SETTINGS)).startsWith("not readable: ");
      assertThat(facts).containsEntry(SystemFacts.HEADLINES_AT_START, "2");
      assertThat(SystemFacts.settings(facts)).isEmpty();
    }
  }

  @Test
  void aBuildsKeysAreThoseOfItsScripts() {
    ScriptSet scripts = ScriptStep.scripts();
    assertThat(
            BuiltKeys.of(scripts, new ScriptLocator(Path.of(""), DatabaseKind.POSTGRES, scripts)))
        .hasSize(22)
        .contains(
            "bmsql_oorder_idx1",
            "bmsql_item_pkey",
            "bmsql_config_pkey",
            "s_item_fkey",
            "h_district_fkey");
  }
}
