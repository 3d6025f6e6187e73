package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.TransactionType;
import org.jspecify.annotations.Nullable;

/**
 * Input of an Order-Status, TPC-C 2.6.1.
 *
 * @param customerId 1 .. 3000, or 0 if the customer is chosen by last name
 * @param customerLast the last name, or null if the customer is chosen by number
 */
public record OrderStatus(
    int warehouseId, int districtId, int customerId, @Nullable String customerLast)
    implements TpccInput {

  @Override
  public TransactionType type() {
    return TpccType.ORDER_STATUS.type();
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.ORDER_STATUSES]++;
    if (customerLast != null) {
      counters[TpccAudit.ORDER_STATUSES_BY_NAME]++;
    }
  }
}
