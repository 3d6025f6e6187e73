package io.shardmark.driver.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InputAuditTest {
  private static final AuditRule ROLLBACKS =
      new AuditRule(
          "9.2.2.5.1", "New-Orders rolled back", AuditRule.AuditUnit.PERCENT, 0, 1, 0.9, 1.1, "");
  private static final AuditRule LINES =
      new AuditRule(
          "9.2.2.5.2", "order lines per order", AuditRule.AuditUnit.AVERAGE, 0, 1, 9.5, 10.5, "");
  private static final AuditRule PAYMENTS =
      new AuditRule("9.2.2.5.7", "Payments", AuditRule.AuditUnit.PERCENT, 0, 1, 43, 100, "");

  private static AuditRow judge(AuditRule rule, long numerator, long denominator) {
    return InputAudit.evaluate(List.of(rule), new long[] {numerator, denominator}).get(0);
  }

  @Test
  void passesOnAndWithinTheBounds() {
    assertThat(judge(ROLLBACKS, 900, 100_000).verdict()).isEqualTo(AuditVerdict.PASS);
    assertThat(judge(ROLLBACKS, 1000, 100_000).verdict()).isEqualTo(AuditVerdict.PASS);
    assertThat(judge(ROLLBACKS, 1100, 100_000).verdict()).isEqualTo(AuditVerdict.PASS);
    assertThat(judge(LINES, 1000, 100).value()).isEqualTo(10);
  }

  @Test
  void failsOutsideWhenChanceCannotExplainIt() {
    // 3 sigma of 1 % of a million is 0.03 %
    assertThat(judge(ROLLBACKS, 8_900, 1_000_000).verdict()).isEqualTo(AuditVerdict.FAIL);
    assertThat(judge(ROLLBACKS, 0, 10_000).verdict()).isEqualTo(AuditVerdict.FAIL);
    // sigma of an average of 10,000 orders is 0.032
    assertThat(judge(LINES, 94_000, 10_000).verdict()).isEqualTo(AuditVerdict.FAIL);
  }

  @Test
  void doesNotJudgeWhatFewSamplesCannotShow() {
    // of 1000 honest New-Orders 8 are often rolled back, 23 now and then, 40 never
    AuditRow few = judge(ROLLBACKS, 8, 1000);
    assertThat(few.verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(few.reason()).isEqualTo("too few to judge: 1000 samples");
    assertThat(judge(ROLLBACKS, 23, 1000).verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(judge(ROLLBACKS, 40, 1000).verdict()).isEqualTo(AuditVerdict.FAIL);
    assertThat(judge(LINES, 90, 10).verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
  }

  @Test
  void aBoundOpenToOneSideIsComparedWithTheBoundItself() {
    assertThat(judge(PAYMENTS, 42, 100).verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(judge(PAYMENTS, 20, 100).verdict()).isEqualTo(AuditVerdict.FAIL);
    assertThat(judge(PAYMENTS, 42_900, 100_000).verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(judge(PAYMENTS, 42_000, 100_000).verdict()).isEqualTo(AuditVerdict.FAIL);
    assertThat(judge(PAYMENTS, 43_500, 100_000).verdict()).isEqualTo(AuditVerdict.PASS);
  }

  @Test
  void theMoreRulesTheFurtherOneMayBeFromItsBounds() {
    // By chance one honest run in 30,000 has 28: too few for one rule, not for one of twenty.
    assertThat(judge(ROLLBACKS, 28, 1000).verdict()).isEqualTo(AuditVerdict.FAIL);
    List<AuditRule> twenty = Collections.nCopies(20, ROLLBACKS);
    assertThat(InputAudit.evaluate(twenty, new long[] {28, 1000}).get(0).verdict())
        .isEqualTo(AuditVerdict.NOT_APPLICABLE);
  }

  @Test
  void aShareThatWasSetOnPurposeIsNotJudged() {
    AuditRule rule =
        new AuditRule(
            "9.2.2.5.4",
            "remote",
            AuditRule.AuditUnit.PERCENT,
            0,
            1,
            0.95,
            1.05,
            "newOrderRemotePercent=50");
    AuditRow result = judge(rule, 500, 1000);
    assertThat(result.verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(result.reason()).isEqualTo("newOrderRemotePercent=50");
    assertThat(result.value()).isEqualTo(50);
  }

  @Test
  void nothingCannotBeJudged() {
    AuditRow result = judge(ROLLBACKS, 0, 0);
    assertThat(result.verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(result.value()).isNull();
    assertThat(result.reason()).isEqualTo("none in this run");
  }
}
