package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.Transaction;

/** The input of one TPC-C transaction. */
public sealed interface TpccInput extends Transaction
    permits NewOrder, Payment, OrderStatus, StockLevel, Delivery, Delivery.Background {

  /** Home warehouse of its terminal, W_ID. */
  int warehouseId();
}
