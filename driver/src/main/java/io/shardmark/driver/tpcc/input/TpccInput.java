package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import java.sql.SQLException;

/** The input of one TPC-C transaction, which knows the method of a profile that runs it. */
public sealed interface TpccInput extends Transaction
    permits NewOrder, Payment, OrderStatus, StockLevel, Delivery, Delivery.Background {

  /** Home warehouse of its terminal, W_ID. */
  int warehouseId();

  /**
   * Runs this input with the statements of a profile. Errors are those of {@link TpccTransactions}.
   */
  Outcome runWith(TpccTransactions statements) throws SQLException;
}
