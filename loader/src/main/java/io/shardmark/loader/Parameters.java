package io.shardmark.loader;

import io.shardmark.loader.population.Population;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a continued load must agree on with the one that was interrupted.
 *
 * @param loadTime is taken over from the interrupted load, so that all rows have the same time
 */
record Parameters(long seed, int warehouses, LocalDateTime loadTime) {
  private static final Pattern TEXT =
      Pattern.compile("seed=(-?\\d+) warehouses=(\\d+) loadTime=(\\S+)");

  static Parameters of(Population population) {
    return new Parameters(population.seed(), population.warehouses(), population.loadTime());
  }

  /**
   * @throws IllegalStateException if another program wrote the text
   */
  static Parameters parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalStateException("unknown entry in " + LoadJournal.TABLE + ": " + text);
    }
    return new Parameters(
        Long.parseLong(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        LocalDateTime.parse(matcher.group(3)));
  }

  String text() {
    return "%s loadTime=%s".formatted(describe(), loadTime);
  }

  Parameters withSeedOf(Parameters other) {
    return new Parameters(other.seed, warehouses, loadTime);
  }

  /** What must be equal. */
  String describe() {
    return "seed=%d warehouses=%d".formatted(seed, warehouses);
  }

  Population population() {
    return new Population(seed, warehouses, loadTime);
  }
}
