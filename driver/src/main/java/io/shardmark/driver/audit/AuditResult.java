package io.shardmark.driver.audit;

import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.results.AuditVerdict;
import java.util.OptionalDouble;

/**
 * One rule, judged.
 *
 * @param value in the rule's unit; empty if its denominator is 0
 * @param reason why the rule cannot be judged; empty unless the verdict is {@link
 *     AuditVerdict#NOT_APPLICABLE}
 */
public record AuditResult(
    AuditRule rule,
    long numerator,
    long denominator,
    OptionalDouble value,
    AuditVerdict verdict,
    String reason) {}
