package io.shardmark.loader;

import org.jspecify.annotations.Nullable;

/**
 * A load did not complete. The message is one or more lines that say what failed, what is missing
 * and what to do; the command line prints it and exits with a non-zero status.
 */
public final class LoadException extends Exception {
  private static final long serialVersionUID = 1L;

  public LoadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public LoadException(String message) {
    super(message);
  }

  /**
   * The database is loaded already.
   *
   * @param warehouses how many it has, as {@code bmsql_config} says
   */
  public static LoadException alreadyLoaded(String warehouses) {
    return new LoadException(
        "the database holds a complete load of %s already (bmsql_config); destroy it before loading again"
            .formatted(warehouses.equals("1") ? "1 warehouse" : warehouses + " warehouses"));
  }
}
