package io.shardmark.driver.guarantees;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.guarantees.Guarantees.Equality;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A condition under which a comparison has failed: {@code guarantees!=equal}. */
public record GuaranteeCondition(boolean negated, Equality equality) {
  private static final Pattern CONDITION = Pattern.compile("guarantees\\s*(!=|=)\\s*(\\S+)");

  /**
   * Reads it.
   *
   * @throws ConfigException which says what was expected
   */
  public static GuaranteeCondition parse(String text) {
    Matcher parts = CONDITION.matcher(text.strip());
    List<Equality> named =
        parts.matches()
            ? Stream.of(Equality.values()).filter(one -> one.key().equals(parts.group(2))).toList()
            : List.of();
    if (named.isEmpty()) {
      throw new ConfigException(
          "--fail-on '%s': expected guarantees= or guarantees!= and one of equal, not-equal, not-known"
              .formatted(text));
    }
    return new GuaranteeCondition(parts.group(1).equals("!="), named.get(0));
  }

  /** Whether it holds, so that the comparison has failed. */
  public boolean holds(Equality found) {
    return (found == equality) != negated;
  }
}
