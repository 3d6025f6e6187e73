package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.TransactionType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Input of a Payment, TPC-C 2.5.1.
 *
 * @param customerId 1 .. 3000, or 0 if the customer is chosen by last name
 * @param customerLast the last name, or null if the customer is chosen by number
 * @param amount 1.00 .. 5000.00
 * @param isDistributed true if the customer is in another partition of the data
 */
public record Payment(
    int warehouseId,
    int districtId,
    int customerWarehouseId,
    int customerDistrictId,
    int customerId,
    @Nullable String customerLast,
    BigDecimal amount,
    boolean isDistributed)
    implements TpccInput {

  @Override
  public TransactionType type() {
    return TpccType.PAYMENT.type();
  }

  /** True if the customer's warehouse is not the home warehouse, on whatever shard it is. */
  public boolean isRemote() {
    return customerWarehouseId != warehouseId;
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.PAYMENTS]++;
    if (isRemote()) {
      counters[TpccAudit.PAYMENTS_REMOTE]++;
    }
    if (customerLast != null) {
      counters[TpccAudit.PAYMENTS_BY_NAME]++;
    }
  }
}
