package io.shardmark.driver.tpcc.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.tpcc.Tpcc;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.driver.verify.VerifyTable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One warehouse with all the rows of TPC-C 4.3.3.1, as loaded: the conditions that need full
 * cardinalities. Made from a template database for each test.
 */
final class LoadedWarehouseTest {
  private static final List<String> ROWS =
      List.of(
          "INSERT INTO bmsql_config VALUES ('warehouses', '1')",
          "INSERT INTO bmsql_warehouse VALUES (1, 300000)",
          "INSERT INTO bmsql_district SELECT 1, d, 30000, 3001 FROM generate_series(1, 10) d",
          "INSERT INTO bmsql_customer SELECT 1, d, c, -10, 10, 1, 1"
              + " FROM generate_series(1, 10) d, generate_series(1, 3000) c",
          "INSERT INTO bmsql_history SELECT NULL, c, d, 1, d, 1, 10"
              + " FROM generate_series(1, 10) d, generate_series(1, 3000) c",
          "INSERT INTO bmsql_oorder SELECT 1, d, o, o,"
              + " CASE WHEN o < 2101 THEN 3 END, 5 + o % 11"
              + " FROM generate_series(1, 10) d, generate_series(1, 3000) o",
          "INSERT INTO bmsql_new_order SELECT 1, d, o"
              + " FROM generate_series(1, 10) d, generate_series(2101, 3000) o",
          "INSERT INTO bmsql_order_line SELECT 1, o_d_id, o_id, l, 1,"
              + " CASE WHEN o_id < 2101 THEN now() END, CASE WHEN o_id < 2101 THEN 0 ELSE 1 END,"
              + " 1, 5 FROM bmsql_oorder, generate_series(1, o_ol_cnt) l",
          "INSERT INTO bmsql_item SELECT i FROM generate_series(1, 100000) i",
          "INSERT INTO bmsql_stock SELECT 1, i, 10 + i % 91, 0, 0 FROM generate_series(1, 100000) i");

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String loaded;

  @BeforeAll
  static void load() throws SQLException {
    loaded = SharedPostgres.newDatabase();
    try (Connection connection = SharedPostgres.connect(loaded)) {
      TinyDatabase.createTables(connection, "timestamp");
    }
    executeOn(loaded, ROWS.toArray(String[]::new));
  }

  @BeforeEach
  void copy() throws SQLException {
    executeOn(
        "postgres",
        "DROP DATABASE IF EXISTS loaded_warehouse WITH (FORCE)",
        "CREATE DATABASE loaded_warehouse TEMPLATE %s STRATEGY file_copy".formatted(loaded));
  }

  private static Connection connect() throws SQLException {
    return SharedPostgres.connect("loaded_warehouse");
  }

  private static void execute(String... statements) throws SQLException {
    executeOn("loaded_warehouse", statements);
  }

  private static void executeOn(String database, String... statements) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static List<ConditionResult> verify() throws SQLException, InterruptedException {
    return new Verifier(LoadedWarehouseTest::connect, DatabaseKind.POSTGRES, 2)
        .run(new TpccConditions())
        .results();
  }

  @Test
  void passesEveryConditionAfterALoad() throws SQLException, InterruptedException {
    List<ConditionResult> results = verify();

    assertThat(results).hasSize(31);
    assertThat(results).extracting(ConditionResult::verdict).containsOnly(Verdict.PASS);
    assertThat(VerifyTable.exitStatus(results)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | DELETE FROM bmsql_new_order WHERE no_d_id = 4 AND no_o_id = 2101"
            + " | w_id=1 d_id=4 order_count=3000 new_order_count=899",
        "10 | DELETE FROM bmsql_oorder WHERE o_d_id = 10 AND o_id = 7"
            + " | w_id=1 d_id=10 order_count=2999 new_order_count=900",
        "12 | UPDATE bmsql_config SET cfg_value = '2'"
            + " | configured=2 warehouses=1 expected_ids=1",
        "12 | DELETE FROM bmsql_config | configured=-1 warehouses=1 expected_ids=0",
        "13 | DELETE FROM bmsql_item WHERE i_id = 5 | items=99999 lowest=1 highest=100000",
        "14 | DELETE FROM bmsql_stock WHERE s_i_id = 5"
            + " | w_id=1 warehouses=1 district_count=10 stock_count=99999",
        "15 | DELETE FROM bmsql_customer WHERE c_d_id = 2 AND c_id = 3000"
            + " | w_id=1 d_id=2 districts=1 customer_count=2999",
        "16 | DELETE FROM bmsql_history WHERE h_d_id = 2 AND h_c_id = 3000"
            + " | w_id=1 d_id=2 order_count=3000 new_order_count=900 history_count=2999",
        "17 | UPDATE bmsql_oorder SET o_ol_cnt = 4 WHERE o_d_id = 9 AND o_id = 3000"
            + " | o_w_id=1 o_d_id=9 o_id=3000 o_ol_cnt=4",
        "18 | DELETE FROM bmsql_customer WHERE c_d_id = 2 AND c_id = 3000"
            + " | o_w_id=1 o_d_id=2 o_id=3000 o_c_id=3000",
        "19 | UPDATE bmsql_order_line SET ol_supply_w_id = 2"
            + " WHERE ol_d_id = 1 AND ol_o_id = 1 AND ol_number = 1"
            + " | ol_w_id=1 ol_d_id=1 ol_o_id=1 ol_number=1 ol_i_id=1 ol_supply_w_id=2"
            + " ol_quantity=5 ol_amount=0.00",
        "20 | UPDATE bmsql_stock SET s_quantity = 9 WHERE s_i_id = 77"
            + " | s_w_id=1 s_i_id=77 s_quantity=9",
        "20 | UPDATE bmsql_stock SET s_quantity = 101 WHERE s_i_id = 77"
            + " | s_w_id=1 s_i_id=77 s_quantity=101",
        "21 | UPDATE bmsql_stock SET s_ytd = 5 WHERE s_i_id = 77"
            + " | w_id=1 sum_s_ytd=5 sum_ol_quantity=0 sum_s_order_cnt=0 order_lines=0 nulls=0",
      })
  void namesTheRowsOfAPlantedFault(int index, String sql, String offender)
      throws SQLException, InterruptedException {
    execute(sql);

    ConditionResult result = verify().get(index);

    assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(result.samples()).containsExactly(offender);
    assertThat(result.offendingRows()).isEqualTo(1);
  }

  @Test
  void aResetUndoesWhatTransactionsDo() throws SQLException, InterruptedException {
    execute(
        "ALTER TABLE bmsql_stock ADD COLUMN IF NOT EXISTS s_remote_cnt integer",
        "ALTER TABLE bmsql_customer ADD COLUMN IF NOT EXISTS c_delivery_cnt integer DEFAULT 0",
        // A New-Order.
        "UPDATE bmsql_district SET d_next_o_id = 3002 WHERE d_id = 3",
        "INSERT INTO bmsql_oorder SELECT o_w_id, o_d_id, 3001, o_c_id, NULL, o_ol_cnt"
            + " FROM bmsql_oorder WHERE o_d_id = 3 AND o_id = 3000",
        "INSERT INTO bmsql_new_order VALUES (1, 3, 3001)",
        "INSERT INTO bmsql_order_line SELECT ol_w_id, ol_d_id, 3001, ol_number, ol_i_id, NULL, 7,"
            + " ol_supply_w_id, 5 FROM bmsql_order_line WHERE ol_d_id = 3 AND ol_o_id = 3000",
        "UPDATE bmsql_stock SET s_ytd = 25, s_order_cnt = 5 WHERE s_i_id = 1",
        // A Payment.
        "UPDATE bmsql_warehouse SET w_ytd = w_ytd + 5",
        "UPDATE bmsql_district SET d_ytd = d_ytd + 5 WHERE d_id = 2",
        "UPDATE bmsql_customer SET c_balance = c_balance - 5, c_ytd_payment = c_ytd_payment + 5,"
            + " c_payment_cnt = c_payment_cnt + 1 WHERE c_d_id = 2 AND c_id = 3",
        "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount)"
            + " VALUES (3, 2, 1, 2, 1, 5.00)",
        // A Delivery.
        "DELETE FROM bmsql_new_order WHERE no_d_id = 1 AND no_o_id = 2101",
        "UPDATE bmsql_oorder SET o_carrier_id = 1 WHERE o_d_id = 1 AND o_id = 2101",
        "UPDATE bmsql_order_line SET ol_delivery_d = now() WHERE ol_d_id = 1 AND ol_o_id = 2101",
        "UPDATE bmsql_customer SET c_balance = 5, c_delivery_cnt = 1"
            + " WHERE c_d_id = 1 AND c_id = 2101");
    assertThat(verify()).extracting(ConditionResult::verdict).contains(Verdict.NOT_APPLICABLE);
    BenchmarkProperties properties =
        BenchmarkProperties.parse(Benchmarks.KEYS, Path.of("props.pg"), "", Map.of());

    for (int time = 0; time < 2; time++) {
      execute(new Tpcc().reset(properties.values()).toArray(String[]::new));
      assertThat(verify()).extracting(ConditionResult::verdict).containsOnly(Verdict.PASS);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE bmsql_district SET d_next_o_id = 3002 WHERE d_id = 3"
            + " | district (1, 3) has D_NEXT_O_ID 3002 and D_YTD 30000.00",
        "UPDATE bmsql_district SET d_ytd = d_ytd + 1 WHERE d_id = 3"
            + " | district (1, 3) has D_NEXT_O_ID 3001 and D_YTD 30001.00",
        "UPDATE bmsql_oorder SET o_carrier_id = 1 WHERE o_id = 2101"
            + " | 10 orders above 2100 were delivered",
      })
  void loadOnlyConditionsDoNotApplyOnceATransactionRan(String sql, String reason)
      throws SQLException, InterruptedException {
    execute(sql);

    List<ConditionResult> results = verify();

    assertThat(results.get(10).verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
    assertThat(results.get(10).reason()).contains(reason);
    assertThat(results.get(16).verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
  }

  @Test
  void emptyDatabaseDoesNotPass() throws SQLException, InterruptedException {
    execute(
        "TRUNCATE bmsql_warehouse, bmsql_district, bmsql_customer, bmsql_history, bmsql_new_order,"
            + " bmsql_oorder, bmsql_order_line, bmsql_item, bmsql_stock");

    List<ConditionResult> results = verify();

    assertThat(results.get(12).samples())
        .containsExactly("configured=1 warehouses=0 expected_ids=0");
    assertThat(VerifyTable.exitStatus(results)).isEqualTo(1);
  }

  @Test
  void tableShowsVerdictsRowsAndTheSum() throws SQLException, InterruptedException {
    execute("UPDATE bmsql_stock SET s_quantity = 101 WHERE s_i_id < 12");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    VerifyTable.print(verify(), new PrintStream(bytes, true, StandardCharsets.UTF_8));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .anyMatch(
            line -> line.matches("PASS   3\\.3\\.2\\.1 +\\d+\\.\\d{3} s  W_YTD = sum\\(D_YTD\\).*"))
        .anyMatch(line -> line.matches("FAIL   2\\.4\\.2\\.2 .* S_QUANTITY is 10 to 100"))
        .contains(
            "       11 rows break it", "         s_w_id=1 s_i_id=10 s_quantity=101", "         ...")
        .endsWith("31 conditions: 30 pass, 1 fail, 0 not applicable, 0 with errors");
  }
}
