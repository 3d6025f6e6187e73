package io.shardmark.proxy.merge;

/**
 * An aggregate that each shard has computed over its rows. Columns are positions in a shard's
 * answer, from 0; negative ones count from the end, -1 is the last.
 *
 * @param column of the aggregate itself
 * @param sumColumn for {@link Function#AVG} a hidden column {@code sum(x)} of the same x, otherwise
 *     unused
 * @param countColumn for {@link Function#AVG} a hidden column {@code count(x)}, otherwise unused
 * @param textOrder for min and max of text
 */
public record Aggregate(
    Function function, int column, int sumColumn, int countColumn, TextOrder textOrder) {
  /** The functions. EVERY is BOOL_AND. FILTER does not matter; DISTINCT only to MIN and MAX. */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG,
    BOOL_AND,
    BOOL_OR
  }

  /** COUNT, SUM, BOOL_AND, BOOL_OR. */
  public static Aggregate of(Function function, int column) {
    return new Aggregate(function, column, column, column, TextOrder.UNKNOWN);
  }

  /** MIN, MAX. */
  public static Aggregate extreme(Function function, int column, TextOrder textOrder) {
    return new Aggregate(function, column, column, column, textOrder);
  }

  /** AVG. */
  public static Aggregate average(int column, int sumColumn, int countColumn) {
    return new Aggregate(Function.AVG, column, sumColumn, countColumn, TextOrder.UNKNOWN);
  }
}
