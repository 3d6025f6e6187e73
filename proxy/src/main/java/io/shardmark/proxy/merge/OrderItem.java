package io.shardmark.proxy.merge;

/**
 * One item of ORDER BY.
 *
 * @param column position in a shard's answer, from 0; a negative one counts from the end, -1 is the
 *     last (for columns added behind a {@code *})
 */
public record OrderItem(int column, Direction direction, Nulls nulls, TextOrder textOrder) {
  /** ASC or DESC. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** Where NULL stands. */
  public enum Nulls {
    FIRST,
    LAST
  }

  /** With PostgreSQL's default for NULL: last ascending, first descending. */
  public static OrderItem of(int column, Direction direction, TextOrder textOrder) {
    return new OrderItem(
        column, direction, direction == Direction.ASCENDING ? Nulls.LAST : Nulls.FIRST, textOrder);
  }
}
