package io.shardmark.driver.bmt;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WeightedChoice;
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
  static final class Mix {
    private final List<Part> parts;
    private final WeightedChoice<Part> choice;

    private Mix(List<Part> parts) {
      this.parts = List.copyOf(parts);
      choice = new WeightedChoice<>(parts, Part::weight);
    }

    List<Part> parts() {
      return parts;
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
      WeightedChoice.parse(text, Mix::named, "each operation once")
          .forEach(
              (operation, weight) ->
                  parts.add(
                      new Part(
                          operation,
                          weight,
                          TransactionType.unpaced(parts.size(), operation.name(), statements))));
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

    int sum() {
      return choice.sum();
    }

    int weightOf(BmtOperation operation) {
      return parts.stream()
          .filter(part -> part.operation == operation)
          .mapToInt(Part::weight)
          .sum();
    }

    Part draw(SplittableRandom random) {
      return choice.draw(random);
    }
  }
}
