package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.TpccInput;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that every statement profile of every database calls wrong, and writes nothing from. */
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

  @Test
  default void anOrderWithoutItsCustomerIsWrongDataForItsDelivery() throws SQLException {
    assertWrongData("UPDATE bmsql_oorder SET o_c_id = NULL", new Delivery.Background(1, 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bmsql_warehouse SET w_name",
        "bmsql_district SET d_name",
        "bmsql_customer SET c_credit",
        "bmsql_customer SET c_data"
      })
  default void aNullThatAPaymentIsMadeOfIsWrongDataAndLeavesNothingBehind(String column)
      throws SQLException {
    for (int customerWarehouse = 1; customerWarehouse <= 2; customerWarehouse++) {
      assertWrongData(
          "UPDATE " + column + " = NULL",
          new Payment(1, 3, customerWarehouse, 3, 10, null, BigDecimal.TEN, false));
    }
  }

  @Test
  default void aCustomerWithoutAnOrderIsWrongDataForItsStatus() throws SQLException {
    assertWrongData(
        "DELETE FROM bmsql_order_line WHERE ol_d_id = 3", new OrderStatus(1, 3, 8, null));
    assertWrongData("UPDATE bmsql_oorder SET o_c_id = 1", new OrderStatus(1, 3, 8, null));
  }

  private void assertWrongData(String damage, TpccInput input) throws SQLException {
    try (var statement = connection().createStatement()) {
      statement.executeUpdate(damage);
    }
    SmallTpcc.commit(connection());
    List<String> before = SmallTpcc.content(connection());

    assertThatThrownBy(() -> transactions().execute(input))
        .as("after %s", damage)
        .isInstanceOf(WrongDataException.class);

    SmallTpcc.rollBack(connection());
    assertThat(SmallTpcc.content(connection())).as("after %s", damage).isEqualTo(before);
  }
}
