package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.TpccInput;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a {@link StatementContract} asks, beyond its own, of the profiles whose statements are the
 * driver's. The procedures are BenchmarkSQL's: what they make of a null is the server's affair.
 */
interface WrongDataContract {
  /** To the tables of {@link SmallTpcc}, which have been reset. */
  Connection connection();

  /** Those of the profile, on that connection. */
  TpccTransactions transactions();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bmsql_item SET i_price",
        "bmsql_stock SET s_quantity",
        "bmsql_stock SET s_dist_03",
        "bmsql_district SET d_next_o_id"
      })
  default void aNullThatAnOrderIsMadeOfIsWrongDataAndLeavesNothingBehind(String column)
      throws SQLException {
    int[] items = {1, 2, 3, 4, 5};
    int[] supplies = {1, 1, 2, 1, 1};
    int[] quantities = {1, 1, 1, 1, 1};
    assertWrongData(
        "UPDATE " + column + " = NULL",
        NewOrder.of(1, 3, 8, items, supplies, quantities, false, WarehouseShards.UNKNOWN));
  }

  @Test
  default void anOrderWhoseLinesHaveNoAmountIsWrongDataForItsDelivery() throws SQLException {
    assertWrongData("UPDATE bmsql_order_line SET ol_amount = NULL", new Delivery.Background(1, 7));
  }

  private void assertWrongData(String damage, TpccInput input) throws SQLException {
    try (var statement = connection().createStatement()) {
      statement.executeUpdate(damage);
    }
    SmallTpcc.commit(connection());
    List<String> before = SmallTpcc.content(connection());

    assertThatThrownBy(() -> transactions().execute(input)).isInstanceOf(WrongDataException.class);

    SmallTpcc.rollBack(connection());
    assertThat(SmallTpcc.content(connection())).isEqualTo(before);
  }
}
