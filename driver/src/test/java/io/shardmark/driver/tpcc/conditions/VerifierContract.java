package io.shardmark.driver.tpcc.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.driver.verify.VerifyTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the verifier owes on every database. */
abstract class VerifierContract {
  /** A new connection to a database that holds the tables of {@link TinyDatabase}. */
  abstract Connection connect() throws SQLException;

  abstract DatabaseKind kind();

  static List<Corruption> corruptions() {
    return Corruption.all();
  }

  private List<ConditionResult> verify() throws SQLException, InterruptedException {
    return new Verifier(this::connect, kind(), 2).run(new TpccConditions()).results();
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      TinyDatabase.reset(connection);
      if (!sql.isEmpty()) {
        assertThat(statement.executeUpdate(sql)).as("rows changed by " + sql).isPositive();
      }
    }
  }

  @Test
  void consistentDataPassEveryCondition() throws SQLException, InterruptedException {
    change("");

    List<ConditionResult> twelve = verify().subList(0, 12);

    assertThat(twelve)
        .extracting(ConditionResult::clause)
        .startsWith("3.3.2.1")
        .endsWith("3.3.2.12");
    assertThat(twelve)
        .filteredOn(result -> !result.clause().equals("3.3.2.11"))
        .allSatisfy(
            result -> {
              assertThat(result.reason()).isEmpty();
              assertThat(result.samples()).isEmpty();
              assertThat(result.verdict()).isEqualTo(Verdict.PASS);
            });
    ConditionResult eleventh = twelve.get(10);
    assertThat(eleventh.verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
    assertThat(eleventh.reason()).contains("district (1, 1) has D_NEXT_O_ID 8 and D_YTD 45.50");
  }

  @ParameterizedTest
  @MethodSource("corruptions")
  void namesTheRowsOfAPlantedFault(Corruption corruption)
      throws SQLException, InterruptedException {
    change(corruption.sql());

    List<ConditionResult> results = verify();

    ConditionResult result =
        results.stream()
            .filter(r -> r.clause().equals(corruption.clause()))
            .findFirst()
            .orElseThrow();
    assertThat(result.reason()).isEmpty();
    assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(result.samples().stream().map(VerifierContract::plain))
        .containsExactlyElementsOf(corruption.offenders());
    assertThat(result.offendingRows()).isEqualTo(corruption.offenders().size());
    assertThat(VerifyTable.exitStatus(results)).isEqualTo(1);
  }

  /**
   * Databases differ in the scale of a sum over no rows (0 or 0.00) and in fractions of seconds.
   */
  private static String plain(String sample) {
    return sample
        .replaceAll("((?:ytd|balance|payment|amount)=)0(?= |$)", "$10.00")
        .replaceAll("(:05)\\.0+(?= |$)", "$1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UPDATE bmsql_warehouse SET w_tax = 0.9 WHERE w_id = 1 | a warehouse has its texts
          UPDATE bmsql_district SET d_city = NULL WHERE d_w_id = 1 AND d_id = 1 | a district has its texts
          UPDATE bmsql_customer SET c_credit = 'XX' WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 1 | a customer has
          UPDATE bmsql_customer SET c_last = '' WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 1 | a customer has
          UPDATE bmsql_history SET h_date = NULL WHERE h_w_id = 1 AND h_d_id = 1 AND h_amount = 5.50 | a history row
          UPDATE bmsql_oorder SET o_entry_d = NULL WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 1 | an order has a date
          UPDATE bmsql_oorder SET o_carrier_id = 11 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 1 | an order has a date
          UPDATE bmsql_order_line SET ol_quantity = 11 WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 1 AND ol_number = 1 | a line has a quantity
          UPDATE bmsql_order_line SET ol_o_id = 3001 WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 1 AND ol_number = 1 | OL_AMOUNT = OL_QUANTITY * I_PRICE
          UPDATE bmsql_item SET i_price = NULL WHERE i_id = 1 | an item has its texts
          UPDATE bmsql_stock SET s_dist_07 = NULL WHERE s_w_id = 1 AND s_i_id = 1 | a stock row has
          """)
  void namesARowWithAValueOutOfItsRange(String fault, String sentence)
      throws SQLException, InterruptedException {
    change("");
    assertThat(results(sentence)).extracting(ConditionResult::verdict).containsOnly(Verdict.PASS);
    change(fault);

    ConditionResult result = results(sentence).get(0);

    assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(result.offendingRows()).isEqualTo(1);
  }

  private List<ConditionResult> results(String sentence) throws SQLException, InterruptedException {
    return verify().stream().filter(one -> one.sentence().startsWith(sentence)).toList();
  }

  @Test
  void saysWhenTheFileHasAnotherNumberOfWarehouses() throws SQLException {
    change("");
    try (Connection connection = connect()) {
      assertThat(new TpccConditions(2).remarks(connection)).isEmpty();
      assertThat(new TpccConditions(4).remarks(connection))
          .containsExactly("The properties file has warehouses=4, the database was loaded with 2.");
    }
  }

  @Test
  void districtsWithoutNewOrdersAreExemptFromTheirConditions()
      throws SQLException, InterruptedException {
    change("DELETE FROM bmsql_new_order WHERE no_w_id = 1");

    List<ConditionResult> results = verify();

    assertThat(results.get(1).verdict()).isEqualTo(Verdict.PASS);
    assertThat(results.get(2).verdict()).isEqualTo(Verdict.PASS);
    assertThat(results.get(4).offendingRows()).isEqualTo(6);
  }

  @Test
  void countsAllOffendersAndShowsTheFirstTen() throws SQLException, InterruptedException {
    change("UPDATE bmsql_order_line SET ol_delivery_d = NULL");

    ConditionResult result = verify().get(6);

    assertThat(result.offendingRows()).isEqualTo(88); // 2 * 2 districts, (6 + 5 + 6 + 5) lines
    assertThat(result.samples()).hasSize(ConditionResult.MAX_SAMPLES);
    assertThat(result.samples().get(0)).startsWith("ol_w_id=1 ol_d_id=1 ol_o_id=1 ol_number=1 ");
    assertThat(result.samples().get(9)).startsWith("ol_w_id=1 ol_d_id=1 ol_o_id=2 ol_number=4 ");
  }

  @Test
  void populationIsJudgedWithoutErrors() throws SQLException, InterruptedException {
    change("");

    List<ConditionResult> population = verify().subList(12, 22);

    assertThat(population).extracting(ConditionResult::verdict).doesNotContain(Verdict.ERROR);
    assertThat(population.get(0).verdict()).isEqualTo(Verdict.PASS);
    assertThat(population.get(2).samples())
        .containsExactly(
            "w_id=1 warehouses=1 district_count=2 stock_count=1",
            "w_id=2 warehouses=1 district_count=2 stock_count=1");
  }

  @Test
  void missingTableIsAnErrorNotAPass() throws SQLException, InterruptedException {
    change("");
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE bmsql_history RENAME TO bmsql_history_away");
      List<ConditionResult> results;
      try {
        results = verify();
      } finally {
        statement.execute("ALTER TABLE bmsql_history_away RENAME TO bmsql_history");
      }

      assertThat(results.get(7).verdict()).isEqualTo(Verdict.ERROR);
      assertThat(results.get(7).reason()).containsIgnoringCase("bmsql_history");
      assertThat(results.get(0).verdict()).isEqualTo(Verdict.PASS);
      assertThat(VerifyTable.exitStatus(results)).isEqualTo(1);
    }
  }
}
