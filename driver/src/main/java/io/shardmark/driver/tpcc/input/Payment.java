package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.workload.Outcome;
import io.shardmark.driver.workload.TransactionType;
import java.math.BigDecimal;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Input of a Payment, TPC-C 2.5.1.
 *
 * @param customerId 1 .. 3000, or 0 if the customer is chosen by last name
 * @param customerLast the last name, or null if the customer is chosen by number
 * @param amount 1.00 .. 5000.00
 */
public record Payment(
    int warehouseId,
    int districtId,
    int customerWarehouseId,
    int customerDistrictId,
    int customerId,
    @Nullable String customerLast,
    BigDecimal amount)
    implements TpccInput {

  @Override
  public TransactionType type() {
    return TpccType.PAYMENT.type();
  }

  @Override
  public boolean isDistributed() {
    return customerWarehouseId != warehouseId;
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.PAYMENTS]++;
    if (isDistributed()) {
      counters[TpccAudit.PAYMENTS_REMOTE]++;
    }
    if (customerLast != null) {
      counters[TpccAudit.PAYMENTS_BY_NAME]++;
    }
  }

  @Override
  public Outcome runWith(TpccTransactions statements) throws SQLException {
    return statements.payment(this);
  }
}
