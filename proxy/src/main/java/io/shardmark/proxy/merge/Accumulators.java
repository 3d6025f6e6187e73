package io.shardmark.proxy.merge;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses how an aggregate is added up, by its function and the type that the shards gave it. */
final class Accumulators {
  private Accumulators() {}

  /**
   * Makes accumulators for each group.
   *
   * @throws MergeRefusedException 0A000, if the type cannot be added up or compared here
   */
  static Supplier<Accumulator> of(Aggregate aggregate, List<ColumnDescription> description) {
    int count = description.size();
    int position = RowKeys.position(aggregate.column(), count);
    ColumnDescription column = description.get(position);
    return switch (aggregate.function()) {
      case COUNT, SUM -> sum(position, column);
      case AVG -> {
        int sum = RowKeys.position(aggregate.sumColumn(), count);
        int rows = RowKeys.position(aggregate.countColumn(), count);
        yield average(position, sum, rows, description);
      }
      case MIN, MAX -> {
        ValueKey key = ValueKey.forOrder(column, aggregate.textOrder());
        int sign = aggregate.function() == Aggregate.Function.MAX ? 1 : -1;
        yield () -> new Extreme(position, key, sign);
      }
      case BOOL_AND -> folded(position, BoolFormat.of(column), Boolean::logicalAnd);
      case BOOL_OR -> folded(position, BoolFormat.of(column), Boolean::logicalOr);
    };
  }

  private static Supplier<Accumulator> sum(int position, ColumnDescription column) {
    return switch (typeOf(column)) {
      case INT8 -> folded(position, ValueFormat.int8(column), Additions::int8);
      case NUMERIC -> folded(position, ValueFormat.numeric(column), NumericValue::add);
      case FLOAT4 -> folded(position, ValueFormat.float4(column), Additions::float4);
      case FLOAT8 -> folded(position, ValueFormat.float8(column), Additions::float8);
      default -> throw ValueKey.refused(column, "is a sum of a type that is not added up here");
    };
  }

  private static Supplier<Accumulator> average(
      int position, int sum, int count, List<ColumnDescription> description) {
    ColumnDescription column = description.get(position);
    ColumnDescription summed = description.get(sum);
    ValueFormat<Long> counts = ValueFormat.int8(description.get(count));
    return switch (typeOf(column)) {
      case NUMERIC -> {
        ValueFormat<NumericValue> sums =
            typeOf(summed) == ValueType.INT8
                ? ValueFormat.int8AsNumeric(summed)
                : ValueFormat.numeric(summed);
        ValueFormat<NumericValue> results = ValueFormat.numeric(column);
        yield () -> new NumericAverage(sum, sums, count, counts, results);
      }
      case FLOAT8 -> {
        ValueFormat<Double> results = ValueFormat.float8(column);
        yield typeOf(summed) == ValueType.FLOAT8
            ? () -> new FloatAverage(sum, ValueFormat.float8(summed), count, counts, results)
            : () -> new RoundedAverage(position, results, count, counts);
      }
      default -> throw ValueKey.refused(column, "is an average of a type that is not known here");
    };
  }

  private static ValueType typeOf(ColumnDescription column) {
    ValueKey.requireWhole(column);
    ValueType type = ValueType.of(column.typeOid());
    if (type == null) {
      throw ValueKey.refused(column, "has a type that is not added up here");
    }
    return type;
  }

  private static <T> Supplier<Accumulator> folded(
      int column, ValueFormat<T> format, BinaryOperator<T> operator) {
    return () -> new Folded<>(column, format, operator);
  }

  /** All values that are not NULL, combined; NULL if there is none. */
  private static final class Folded<T> implements Accumulator {
    private final int column;
    private final ValueFormat<T> format;
    private final BinaryOperator<T> operator;
    private @Nullable T value;

    Folded(int column, ValueFormat<T> format, BinaryOperator<T> operator) {
      this.column = column;
      this.format = format;
      this.operator = operator;
    }

    @Override
    public void add(Row row) {
      byte[] bytes = row.value(column);
      if (bytes != null) {
        T read = format.read(bytes);
        value = value == null ? read : operator.apply(value, read);
      }
    }

    @Override
    public byte @Nullable [] result() {
      return value == null ? null : format.write(value);
    }
  }

  /** The least or greatest value, in the bytes it came in. */
  private static final class Extreme implements Accumulator {
    private final int column;
    private final ValueKey key;
    private final int sign;
    private byte @Nullable [] bytes;
    private @Nullable Comparable<?> value;

    Extreme(int column, ValueKey key, int sign) {
      this.column = column;
      this.key = key;
      this.sign = sign;
    }

    @Override
    public void add(Row row) {
      byte[] candidate = row.value(column);
      if (candidate == null) {
        return;
      }
      Comparable<?> read = key.of(candidate);
      if (value == null || ValueKey.compare(read, value) * sign > 0) {
        value = read;
        bytes = candidate;
      }
    }

    @Override
    public byte @Nullable [] result() {
      return bytes;
    }
  }

  /** avg of integers and numerics: the sum of the sums by the sum of the counts. */
  private static final class NumericAverage implements Accumulator {
    private final Folded<NumericValue> sum;
    private final Folded<Long> count;
    private final ValueFormat<NumericValue> results;

    NumericAverage(
        int sumColumn,
        ValueFormat<NumericValue> sums,
        int countColumn,
        ValueFormat<Long> counts,
        ValueFormat<NumericValue> results) {
      this.sum = new Folded<>(sumColumn, sums, NumericValue::add);
      this.count = new Folded<>(countColumn, counts, Additions::int8);
      this.results = results;
    }

    @Override
    public void add(Row row) {
      sum.add(row);
      count.add(row);
    }

    @Override
    public byte @Nullable [] result() {
      if (sum.value == null || count.value == null || count.value == 0) {
        return null;
      }
      return results.write(sum.value.divide(count.value));
    }
  }

  /** avg of float8: the sum of the sums by the sum of the counts. */
  private static final class FloatAverage implements Accumulator {
    private final Folded<Double> sum;
    private final Folded<Long> count;
    private final ValueFormat<Double> results;

    FloatAverage(
        int sumColumn,
        ValueFormat<Double> sums,
        int countColumn,
        ValueFormat<Long> counts,
        ValueFormat<Double> results) {
      this.sum = new Folded<>(sumColumn, sums, Additions::float8);
      this.count = new Folded<>(countColumn, counts, Additions::int8);
      this.results = results;
    }

    @Override
    public void add(Row row) {
      sum.add(row);
      count.add(row);
    }

    @Override
    public byte @Nullable [] result() {
      return sum.value == null || count.value == null || count.value == 0
          ? null
          : results.write(sum.value / count.value);
    }
  }

  /**
   * avg of float4: from the averages and counts, because sum(float4) is rounded to 24 bits while
   * avg(float4) is reckoned with 53.
   */
  private static final class RoundedAverage implements Accumulator {
    private final int column;
    private final ValueFormat<Double> format;
    private final int countColumn;
    private final ValueFormat<Long> counts;
    private double sum;
    private long count;

    RoundedAverage(
        int column, ValueFormat<Double> format, int countColumn, ValueFormat<Long> counts) {
      this.column = column;
      this.format = format;
      this.countColumn = countColumn;
      this.counts = counts;
    }

    @Override
    public void add(Row row) {
      byte[] average = row.value(column);
      byte[] rows = row.value(countColumn);
      if (average != null && rows != null) {
        long some = counts.read(rows);
        sum = Additions.float8(sum, format.read(average) * some);
        count += some;
      }
    }

    @Override
    public byte @Nullable [] result() {
      return count == 0 ? null : format.write(sum / count);
    }
  }
}
