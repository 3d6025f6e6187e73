package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Payment;

/** Texts that Payment writes, in BenchmarkSQL's form (TPC-C 2.5.2.2). */
final class PaymentText {
  private static final int MAX_CUSTOMER_DATA = 500;
  private static final String HISTORY_BLANKS = "    ";

  private PaymentText() {}

  /**
   * The new C_DATA of a customer with bad credit: this payment in front of the old text, cut to the
   * column.
   */
  static String customerData(Payment input, int customerId, String oldData) {
    String data = "C_ID=" + customerId + customerDataAfterId(input) + oldData;
    return data.length() > MAX_CUSTOMER_DATA ? data.substring(0, MAX_CUSTOMER_DATA) : data;
  }

  /** What stands between the customer's number and the old text. */
  static String customerDataAfterId(Payment input) {
    return " C_D_ID="
        + input.customerDistrictId()
        + " C_W_ID="
        + input.customerWarehouseId()
        + " D_ID="
        + input.districtId()
        + " W_ID="
        + input.warehouseId()
        + " H_AMOUNT="
        + input.amount().toPlainString()
        + "   ";
  }

  /** H_DATA: the names of warehouse and district, four blanks between them. */
  static String historyData(String warehouseName, String districtName) {
    return warehouseName + HISTORY_BLANKS + districtName;
  }
}
