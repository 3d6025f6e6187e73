package io.shardmark.driver.tpcc.statements;

import java.sql.SQLTransactionRollbackException;

/**
 * Another delivery took the order that this one's snapshot goes on showing (REPEATABLE READ of
 * MySQL, which does not report the conflict itself): only a new transaction will see the next one.
 */
final class OrderTaken {
  private static final String SERIALIZATION_FAILURE = "40001";

  private OrderTaken() {}

  static SQLTransactionRollbackException serializationFailure(
      int warehouseId, int districtId, int orderId) {
    return new SQLTransactionRollbackException(
        "order %d/%d/%d was delivered by another transaction after this one's snapshot"
            .formatted(warehouseId, districtId, orderId),
        SERIALIZATION_FAILURE);
  }
}
