package io.shardmark.driver.tpcb;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The transactions of a run with their weights, in pgbench's form {@code name@weight, ...}. */
final class TpcbMix {
  private static final int MOST_WEIGHT = 1_000_000;

  private final List<Part> parts;
  private final int sum;

  /** Whole-numbered weights: shares of their sum. */
  record Part(TpcbScript script, int weight, TransactionType type) {}

  private TpcbMix(List<Part> parts) {
    this.parts = List.copyOf(parts);
    sum = parts.stream().mapToInt(Part::weight).sum();
  }

  static TpcbMix of(PropertyReader values) {
    TpcbMix mix =
        values.name(
            TpcbKey.TRANSACTIONS, TpcbMix.parse(TpcbKey.TRANSACTIONS.missing()), TpcbMix::parse);
    if (mix.sum == 0) {
      throw values.bad(TpcbKey.TRANSACTIONS, "a weight above 0");
    }
    return mix;
  }

  /**
   * @throws IllegalArgumentException with what was expected
   */
  static TpcbMix parse(String text) {
    List<Part> parts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int at = part.indexOf('@');
      TpcbScript script = TpcbScript.parse((at < 0 ? part : part.substring(0, at)).strip());
      if (parts.stream().anyMatch(other -> other.script() == script)) {
        throw new IllegalArgumentException("each transaction once");
      }
      int weight = at < 0 ? 1 : weight(part.substring(at + 1).strip());
      // pgbench's scripts are named in lower case with hyphens; types are as TPC-C's.
      TransactionType type = TransactionType.unpaced(parts.size(), script.name(), 1);
      parts.add(new Part(script, weight, type));
    }
    return new TpcbMix(parts);
  }

  private static int weight(String text) {
    String expected = "name@weight, the weight a whole number from 0 to " + MOST_WEIGHT;
    if (!text.matches("\\d{1,7}") || Integer.parseInt(text) > MOST_WEIGHT) {
      throw new IllegalArgumentException(expected);
    }
    return Integer.parseInt(text);
  }

  List<TransactionType> types() {
    return parts.stream().map(Part::type).toList();
  }

  List<TpcbScript> scripts() {
    return parts.stream().map(Part::script).toList();
  }

  Part draw(SplittableRandom random) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    int left = random.nextInt(sum);
    int at = 0;
    while (left >= parts.get(at).weight()) {
      left -= parts.get(at).weight();
      at++;
    }
    return parts.get(at);
  }
}
