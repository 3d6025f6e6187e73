package io.shardmark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.loader.keys.ParallelScript;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptException;
import io.shardmark.sql.script.ScriptStep;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ParallelScriptTest {
  private static final String SCHEMA =
      "select string_agg(d, ';' order by d) from (select conrelid::regclass || ' ' || conname || ' '"
          + " || convalidated || ' ' || pg_get_constraintdef(oid) as d from pg_constraint"
          + " where connamespace = 'public'::regnamespace"
          + " union all select indexdef from pg_indexes where schemaname = 'public') x";

  private static final String COLUMNS_WITHOUT_STATISTICS =
      "select string_agg(distinct a.attrelid::regclass || '.' || a.attname, ', ')"
          + " from pg_constraint k cross join lateral (select conrelid as rel, unnest(conkey) as col"
          + " union all select confrelid, unnest(confkey)) as c"
          + " join pg_attribute a on a.attrelid = c.rel and a.attnum = c.col"
          + " where k.contype = 'f' and cardinality(k.conkey) > 1 and not exists (select 1"
          + " from pg_stats s where s.tablename = c.rel::regclass::text and s.attname = a.attname)";

  private final LoadDatabase database = new LoadDatabase();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  @BeforeEach
  void createTables() throws SQLException {
    database.createTables();
    shown.reset();
  }

  private void insertRows() throws SQLException {
    database.execute("insert into bmsql_warehouse (w_id) values (1), (2)");
    database.execute("insert into bmsql_district (d_w_id, d_id) values (1, 1), (2, 1)");
    database.execute("insert into bmsql_item (i_id) values (1), (2), (3)");
    database.execute("insert into bmsql_stock (s_w_id, s_i_id) values (1, 1), (2, 3)");
  }

  @AfterAll
  void stopServer() {
    database.close();
  }

  @Test
  void buildsTheSameSchemaAsOneConnection() throws Exception {
    insertRows();
    for (ScriptStep step : ScriptStep.afterLoad()) {
      database.runStep(step);
    }
    String serial = database.query(SCHEMA);
    createTables();
    insertRows();
    for (ScriptStep step : ScriptStep.afterLoad()) {
      runParallel(LoadDatabase.script(step));
    }
    assertThat(database.query(SCHEMA)).isEqualTo(serial).contains("ol_stock_fkey true");
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("# Loading SQL file sql.common/indexCreates.sql")
        .contains("primary key (ol_w_id, ol_d_id, ol_o_id, ol_number);")
        .contains("vacuum analyze public.bmsql_stock;");
  }

  @Test
  void vacuumReachesEveryTableOfTheUser() throws Exception {
    runParallel(LoadDatabase.script(ScriptStep.BUILD_FINISH));
    assertThat(
            database.query(
                "select count(*) from pg_class where relname like 'bmsql%' and relkind = 'r'"
                    + " and reltuples < 0"))
        .isEqualTo("0");
  }

  @Test
  void theFirstFailureEndsTheScript() throws Exception {
    insertRows();
    database.runStep(ScriptStep.INDEX_CREATES);
    database.execute("insert into bmsql_stock (s_w_id, s_i_id) values (9, 1)");
    Script script = LoadDatabase.script(ScriptStep.FOREIGN_KEYS);
    assertThatThrownBy(() -> runParallel(script))
        .isInstanceOf(ScriptException.class)
        .hasMessageContaining("violates foreign key constraint \"s_warehouse_fkey\"")
        .hasMessageContaining("foreignKeys.sql");
  }

  /** Without them the order's key to its customer sorts each table by two of three columns. */
  @Test
  void foreignKeysOfSeveralColumnsAreCheckedWithStatistics() throws Exception {
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2));
    runParallel(LoadDatabase.script(ScriptStep.INDEX_CREATES));
    runParallel(LoadDatabase.script(ScriptStep.FOREIGN_KEYS));
    assertThat(database.query(COLUMNS_WITHOUT_STATISTICS)).isEqualTo("null");
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .containsSubsequence(
            "analyze bmsql_customer (", "alter table bmsql_oorder add constraint o_customer_fkey");
  }

  @Test
  void aScriptOfOtherStatementsRunsInOrder() throws Exception {
    runParallel(
        new Script(
            "own.sql",
            """
            create table own (a int);
            alter table own add b int;
            insert into own values (1, 2);
            """));
    assertThat(database.query("select b from own where a = 1")).isEqualTo("2");
    database.execute("drop table own");
  }

  @Test
  void keysAndOtherStatementsMix() throws Exception {
    runParallel(
        new Script(
            "own.sql",
            """
            create table own (a int, b int);
            alter table own add primary key (a);
            create index own_b on own (b);
            insert into own values (1, 1);
            alter table own add foreign key (b) references own (a);
            """));
    assertThatThrownBy(() -> database.execute("insert into own values (2, 3)"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("own_b_fkey");
    database.execute("drop table own");
  }

  private void runParallel(Script script) throws SQLException, InterruptedException {
    new ParallelScript(
            database::open,
            3,
            new PrintStream(shown, true, StandardCharsets.UTF_8),
            Existing.FAIL,
            ParallelScript.Servers.ONE)
        .run(script);
  }
}
