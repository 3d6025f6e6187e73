package io.shardmark.driver.benchmark;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.PropertyReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A workload's operations with their shares. A transaction has several statements, all of one
 * operation. Immutable.
 *
 * @param <O> the operations
 */
public final class OperationMix<O extends Enum<O>> {
  private final List<WeightedOperation<O>> parts;
  private final WeightedChoice<WeightedOperation<O>> choice;

  /** An operation, its weight, and how results name it. */
  public record WeightedOperation<O>(O operation, int weight, TransactionType type) {}

  private OperationMix(List<WeightedOperation<O>> parts) {
    this.parts = List.copyOf(parts);
    choice = new WeightedChoice<>(this.parts, WeightedOperation::weight);
  }

  /**
   * The value of a key, such as {@code insert@3, delete@1}.
   *
   * @param key whose name is the plural of what it lists
   * @param statements of a transaction
   * @throws io.shardmark.config.ConfigException if it is not of that form, or all weights are 0
   */
  public static <O extends Enum<O>> OperationMix<O> of(
      PropertyReader values, Key key, int statements, Class<O> operations) {
    String once = "each " + key.key().replaceFirst("s$", "") + " once";
    Function<String, OperationMix<O>> parse = text -> parse(text, statements, operations, once);
    OperationMix<O> mix = values.name(key, parse.apply(key.missing()), parse);
    if (mix.choice.sum() == 0) {
      throw values.bad(key, "a weight above 0");
    }
    return mix;
  }

  /** In pgbench's form, in which a name alone has the weight 1. */
  private static <O extends Enum<O>> OperationMix<O> parse(
      String text, int statements, Class<O> operations, String once) {
    List<WeightedOperation<O>> parts = new ArrayList<>();
    for (String nameAndWeight : text.split(",", -1)) {
      String[] pair = nameAndWeight.strip().split("\\s*@\\s*", 2);
      O operation = named(pair[0], operations);
      if (parts.stream().anyMatch(part -> part.operation == operation)) {
        throw new IllegalArgumentException(once);
      }
      TransactionType type = TransactionType.unpaced(parts.size(), operation.name(), statements);
      parts.add(new WeightedOperation<>(operation, pair.length < 2 ? 1 : weight(pair[1]), type));
    }
    return new OperationMix<>(parts);
  }

  private static int weight(String text) {
    if (!text.matches("\\d{1,7}") || Integer.parseInt(text) > WeightedChoice.MOST_WEIGHT) {
      throw new IllegalArgumentException(
          "name@weight, the weight a whole number from 0 to " + WeightedChoice.MOST_WEIGHT);
    }
    return Integer.parseInt(text);
  }

  private static <O extends Enum<O>> O named(String name, Class<O> operations) {
    return KeyType.constant(operations, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    EnumSet.allOf(operations).stream()
                        .map(KeyType::spelled)
                        .collect(Collectors.joining(", "))));
  }

  /** In the order of the key's value. */
  public List<WeightedOperation<O>> parts() {
    return parts;
  }

  public List<TransactionType> types() {
    return parts.stream().map(WeightedOperation::type).toList();
  }

  /** 0 if it is not in the mix. */
  public int weightOf(O operation) {
    return parts.stream()
        .filter(part -> part.operation == operation)
        .mapToInt(WeightedOperation::weight)
        .sum();
  }

  /** True if nothing else is in the mix. */
  public boolean isOnly(O operation) {
    return weightOf(operation) == choice.sum();
  }

  /** By how much of all transactions one operation is more than another; may be negative. */
  public double surplus(O operation, O other) {
    return (double) (weightOf(operation) - weightOf(other)) / choice.sum();
  }

  public WeightedOperation<O> draw(SplittableRandom random) {
    return choice.draw(random);
  }

  /**
   * Instead of a part that was drawn and finds nothing to work on.
   *
   * @throws IllegalArgumentException if the operation is not in the mix
   */
  public WeightedOperation<O> part(O operation) {
    return parts.stream()
        .filter(part -> part.operation == operation)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(operation + " is not in the mix"));
  }

  /** Statements a second, those of each operation if there are several, transactions a second. */
  public List<MetricRule> metrics() {
    List<MetricRule> metrics = new ArrayList<>();
    metrics.add(MetricRule.rate("tps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND));
    for (WeightedOperation<O> part : parts.size() > 1 ? parts : List.<WeightedOperation<O>>of()) {
      metrics.add(
          MetricRule.rate(
              KeyType.spelled(part.operation()) + "Tps",
              "/s",
              MetricRule.Computation.OPERATIONS_PER_SECOND,
              part.type().name()));
    }
    metrics.add(MetricRule.rate("commits", "/s", MetricRule.Computation.COMMITS_PER_SECOND));
    return metrics;
  }
}
