package io.shardmark.config;

/** Key {@code loadDirect}: the way of the rows into a sharded database. */
public enum LoadDirect {
  /** Straight to their shards if all of them can be reached, else through the endpoint. */
  AUTO,
  /** Straight to their shards; a load that cannot is refused. */
  ALWAYS,
  /** Through the endpoint. */
  NEVER;

  /**
   * @throws IllegalArgumentException if there is no such value; the message lists them
   */
  static LoadDirect of(String text) {
    return switch (text) {
      case "auto" -> AUTO;
      case "true" -> ALWAYS;
      case "false" -> NEVER;
      default -> throw new IllegalArgumentException("auto, true or false");
    };
  }
}
