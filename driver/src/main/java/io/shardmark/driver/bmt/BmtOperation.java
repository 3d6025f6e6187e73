package io.shardmark.driver.bmt;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What each statement of a transaction does to one row. */
enum BmtOperation {
  INSERT(
      "INSERT INTO tb_test1 (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_DATE)"),
  SELECT("SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 FROM tb_test1 WHERE c1 = ?"),
  UPDATE("UPDATE tb_test1 SET c4 = ?, c10 = CURRENT_DATE WHERE c1 = ?"),
  DELETE("DELETE FROM tb_test1 WHERE c1 = ?");

  private static final int MOST_WEIGHT = 1_000_000;

  private final String sql;

  BmtOperation(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** {@code insertTps}. */
  String metric() {
    return name().toLowerCase(Locale.ROOT) + "Tps";
  }

  /** Operations with their shares. Immutable. */
  record Mix(List<Part> parts) {
    Mix {
      parts = List.copyOf(parts);
    }

    /** An operation, its weight, and how results name it. */
    record Part(BmtOperation operation, int weight, TransactionType type) {}

    static Mix of(PropertyReader values) {
      int statements = values.integer(BmtKey.STATEMENTS_PER_COMMIT);
      String text = values.text(BmtKey.OPERATIONS).orElse(BmtKey.OPERATIONS.missing());
      Mix mix =
          values.name(
              BmtKey.OPERATIONS,
              parse(BmtKey.OPERATIONS.missing(), statements),
              name -> parse(text, statements));
      if (mix.sum() == 0) {
        throw values.bad(BmtKey.OPERATIONS, "a weight above 0");
      }
      return mix;
    }

    private static Mix parse(String text, int statements) {
      List<Part> parts = new ArrayList<>();
      for (String part : text.split(",", -1)) {
        String[] nameAndWeight = part.strip().split("\\s*@\\s*", 2);
        BmtOperation operation = named(nameAndWeight[0]);
        if (parts.stream().anyMatch(other -> other.operation == operation)) {
          throw new IllegalArgumentException("each operation once");
        }
        int weight = nameAndWeight.length < 2 ? 1 : weight(nameAndWeight[1]);
        TransactionType type = TransactionType.unpaced(parts.size(), operation.name(), statements);
        parts.add(new Part(operation, weight, type));
      }
      return new Mix(parts);
    }

    private static BmtOperation named(String name) {
      for (BmtOperation operation : BmtOperation.values()) {
        if (operation.name().toLowerCase(Locale.ROOT).equals(name)) {
          return operation;
        }
      }
      throw new IllegalArgumentException("insert, select, update or delete");
    }

    private static int weight(String text) {
      if (!text.matches("\\d{1,7}") || Integer.parseInt(text) > MOST_WEIGHT) {
        throw new IllegalArgumentException(
            "name@weight, the weight a whole number from 0 to " + MOST_WEIGHT);
      }
      return Integer.parseInt(text);
    }

    int sum() {
      return parts.stream().mapToInt(Part::weight).sum();
    }

    int weightOf(BmtOperation operation) {
      return parts.stream()
          .filter(part -> part.operation == operation)
          .mapToInt(Part::weight)
          .sum();
    }

    Part draw(SplittableRandom random) {
      int left = parts.size() == 1 ? 0 : random.nextInt(sum());
      int at = 0;
      while (parts.size() > 1 && left >= parts.get(at).weight()) {
        left -= parts.get(at).weight();
        at++;
      }
      return parts.get(at);
    }
  }
}
