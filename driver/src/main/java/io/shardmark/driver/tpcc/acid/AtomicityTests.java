package io.shardmark.driver.tpcc.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.tpcc.acid.Breakpoint.Resume;
import io.shardmark.driver.tpcc.acid.TestSession.Running;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;

/** TPC-C 3.2.2: a Payment that commits, and one that is rolled back, by a customer far away. */
record AtomicityTests(ConnectionSource connections, DatabaseKind database, TestData data) {
  /** 3.2.2.1 and 3.2.2.2. */
  AcidResult payment(String clause, Resume end) throws SQLException, InterruptedException {
    boolean commits = end == Resume.CONTINUE;
    try (TestSession session = new TestSession(connections, database)) {
      List<BigDecimal> before = data.paid();
      Running payment = session.begin(data.remotePayment(), Breakpoint.beforeCommit());
      payment.resume(end);
      TransactionEnd ended = payment.end();
      if (!ended.isDone()) {
        throw new AcidTestException("the Payment failed: " + ended.message());
      }
      List<BigDecimal> expected = commits ? data.paidAfter(before) : before;
      List<BigDecimal> after = data.paid();
      return new AcidResult(
          clause,
          commits ? "Payment that commits" : "Payment that is rolled back",
          TestData.areEqual(after, expected) ? AcidVerdict.PASS : AcidVerdict.FAIL,
          "customer, district and warehouse went from %s to %s (expected %s)"
              .formatted(before, after, expected));
    }
  }
}
