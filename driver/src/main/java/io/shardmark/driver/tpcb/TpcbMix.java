package io.shardmark.driver.tpcb;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WeightedChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The transactions of a run with their weights, in pgbench's form {@code name@weight, ...}. */
final class TpcbMix {
  private final List<Part> parts;
  private final WeightedChoice<Part> choice;

  /** Whole-numbered weights: shares of their sum. */
  record Part(TpcbScript script, int weight, TransactionType type) {}

  private TpcbMix(List<Part> parts) {
    this.parts = List.copyOf(parts);
    choice = new WeightedChoice<>(parts, Part::weight);
  }

  static TpcbMix of(PropertyReader values) {
    TpcbMix mix =
        values.name(
            TpcbKey.TRANSACTIONS, TpcbMix.parse(TpcbKey.TRANSACTIONS.missing()), TpcbMix::parse);
    if (mix.choice.sum() == 0) {
      throw values.bad(TpcbKey.TRANSACTIONS, "a weight above 0");
    }
    return mix;
  }

  /**
   * @throws IllegalArgumentException with what was expected
   */
  static TpcbMix parse(String text) {
    List<Part> parts = new ArrayList<>();
    WeightedChoice.parse(text, TpcbScript::parse, "each transaction once")
        .forEach(
            // pgbench's scripts are named in lower case with hyphens; types are as TPC-C's.
            (script, weight) ->
                parts.add(
                    new Part(
                        script, weight, TransactionType.unpaced(parts.size(), script.name(), 1))));
    return new TpcbMix(parts);
  }

  List<TransactionType> types() {
    return parts.stream().map(Part::type).toList();
  }

  List<TpcbScript> scripts() {
    return parts.stream().map(Part::script).toList();
  }

  Part draw(SplittableRandom random) {
    return choice.draw(random);
  }
}
