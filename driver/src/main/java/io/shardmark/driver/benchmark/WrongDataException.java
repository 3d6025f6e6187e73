package io.shardmark.driver.benchmark;

/**
 * The database answered a statement without an error, but the answer breaks what the workload
 * relies on, such as a missing row.
 */
public final class WrongDataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the fact with its keys, for example {@code customer 1/3/77 not found}
   */
  public WrongDataException(String message) {
    super(message);
  }
}
