package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SetupSectionsTest {
  private static AuditRow row(
      String unit, long samples, @Nullable Double value, AuditVerdict verdict, String reason) {
    return new AuditRow(
        "9.2.2.5.1", "rolled back", unit, 0.9, 1.1, 0, samples, value, verdict, reason);
  }

  @Test
  void aValueDoesNotReadLikeTheBoundThatItIsBeyond() {
    assertThat(
            TextTable.lines(
                SetupSections.audit(
                    List.of(
                        row("PERCENT", 900_000, 1.10004, AuditVerdict.FAIL, ""),
                        row("PERCENT", 1_000, 0.89, AuditVerdict.NOT_APPLICABLE, "too few"),
                        row("AVERAGE", 0, null, AuditVerdict.NOT_APPLICABLE, "none in this run"),
                        row("AVERAGE", 10, 1.0, AuditVerdict.PASS, "")))))
        .containsExactly(
            "Clause     What            Low      Value    High  Samples  Verdict",
            "9.2.2.5.1  rolled back  0.90 %  1.10004 %  1.10 %  900,000  fail",
            "9.2.2.5.1  rolled back  0.90 %     0.89 %  1.10 %    1,000  not judged: too few",
            "9.2.2.5.1  rolled back    0.90          –    1.10        0  not judged: none in this run",
            "9.2.2.5.1  rolled back    0.90          1    1.10       10  pass");
  }
}
