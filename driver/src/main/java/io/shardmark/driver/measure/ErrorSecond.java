package io.shardmark.driver.measure;

/**
 * What was raised of one class in one second.
 *
 * @param errorClass its SQLSTATE is {@code other} for what a second had of too many classes
 * @param count errors raised, at least 1
 * @param retried those of them after which the transaction was tried again
 */
public record ErrorSecond(ErrorLog.ErrorClass errorClass, long count, long retried) {
  /** With what others raised of the same class in the same second. */
  public ErrorSecond plus(ErrorSecond other) {
    return new ErrorSecond(errorClass, count + other.count, retried + other.retried);
  }
}
