package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.estimate.LogEstimate;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a system over the baseline's.
 *
 * @param estimate the ratio's logarithm
 * @param samples of the system: runs or parts
 * @param reason why there is no interval; empty if there is one
 */
public record Ratio(
    @JsonIgnore LogEstimate estimate,
    Basis basis,
    int samples,
    int baselineSamples,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason) {
  public enum Basis {
    /** Repeated runs on both sides: what another run would give. */
    REPETITIONS,
    /** Parts of the runs themselves: says nothing of how runs differ from each other. */
    PARTS,
    NONE;

    @JsonValue
    String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @JsonProperty
  public double value() {
    return estimate.value();
  }

  /** Empty where {@link #reason()} says why. */
  public Optional<Interval> interval() {
    return basis == Basis.NONE ? Optional.empty() : estimate.interval();
  }

  @JsonProperty
  @JsonUnwrapped
  @Nullable Interval range() {
    return interval().orElse(null);
  }

  static Ratio without(double value, String reason) {
    return new Ratio(LogEstimate.exact(value), Basis.NONE, 0, 0, reason);
  }

  static Ratio of(LogEstimate estimate, Basis basis, int samples, int baselineSamples) {
    return estimate.interval().isPresent()
        ? new Ratio(estimate, basis, samples, baselineSamples, "")
        : new Ratio(estimate, Basis.NONE, samples, baselineSamples, "nothing varied");
  }
}
