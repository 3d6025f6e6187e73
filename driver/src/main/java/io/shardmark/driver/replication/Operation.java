package io.shardmark.driver.replication;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What each statement of a transaction does to one row. */
enum Operation {
  INSERT(
      "INSERT INTO %s (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_DATE)"),
  DELETE("DELETE FROM %s WHERE c1 = ?");

  private static final int MOST_WEIGHT = 1_000_000;

  private final String sql;

  Operation(String sql) {
    this.sql = sql;
  }

  String sql(int table) {
    return sql.formatted(Layout.name(table));
  }

  /** {@code insertTps}. */
  String metric() {
    return name().toLowerCase(Locale.ROOT) + "Tps";
  }

  /** An operation, its weight, and how results name it. */
  record Part(Operation operation, int weight, TransactionType type) {}

  /** Operations with their shares. Immutable. */
  record Mix(List<Part> parts) {
    Mix {
      parts = List.copyOf(parts);
    }

    static Mix of(PropertyReader values) {
      int statements = values.integer(ReplicationKey.STATEMENTS_PER_COMMIT);
      String missing = ReplicationKey.OPERATIONS.missing();
      String text = values.text(ReplicationKey.OPERATIONS).orElse(missing);
      return values.name(
          ReplicationKey.OPERATIONS, parse(missing, statements), name -> parse(text, statements));
    }

    private static Mix parse(String text, int statements) {
      List<Part> parts = new ArrayList<>();
      for (String part : text.split(",", -1)) {
        String[] nameAndWeight = part.strip().split("\\s*@\\s*", 2);
        Operation operation = named(nameAndWeight[0]);
        if (parts.stream().anyMatch(other -> other.operation == operation)) {
          throw new IllegalArgumentException("each operation once");
        }
        int weight = nameAndWeight.length < 2 ? 1 : weight(nameAndWeight[1]);
        parts.add(
            new Part(
                operation,
                weight,
                TransactionType.unpaced(parts.size(), operation.name(), statements)));
      }
      return new Mix(parts);
    }

    private static Operation named(String name) {
      return switch (name) {
        case "insert" -> INSERT;
        case "delete" -> DELETE;
        default -> throw new IllegalArgumentException("insert or delete");
      };
    }

    private static int weight(String text) {
      if (!text.matches("\\d{1,7}")
          || Integer.parseInt(text) > MOST_WEIGHT
          || Integer.parseInt(text) == 0) {
        throw new IllegalArgumentException(
            "name@weight, the weight a whole number from 1 to " + MOST_WEIGHT);
      }
      return Integer.parseInt(text);
    }

    boolean has(Operation operation) {
      return weightOf(operation) > 0;
    }

    int weightOf(Operation operation) {
      return parts.stream()
          .filter(part -> part.operation == operation)
          .mapToInt(Part::weight)
          .sum();
    }

    Part draw(SplittableRandom random) {
      Part first = parts.get(0);
      if (parts.size() == 1) {
        return first;
      }
      Part second = parts.get(1);
      return random.nextInt(first.weight() + second.weight()) < first.weight() ? first : second;
    }
  }
}
