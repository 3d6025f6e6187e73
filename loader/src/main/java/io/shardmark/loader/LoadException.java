package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
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
   * @param data that was to be loaded
   * @param size of what is there
   */
  public static LoadException alreadyLoaded(DataSet data, String size) {
    return new LoadException(
        "the database holds a complete load of %s already%s; destroy it before loading again"
            .formatted(size, data.lastTable().map(table -> " (" + table.name() + ")").orElse("")));
  }
}
