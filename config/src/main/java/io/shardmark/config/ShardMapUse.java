package io.shardmark.config;

/** Key {@code shardMap}: whether an endpoint is asked which shard has which rows. */
public enum ShardMapUse {
  /** It is asked; what does not know the question is one server. */
  AUTO,
  /** It is not asked and is taken for one server. */
  NONE;

  /**
   * @throws IllegalArgumentException if there is no such value; the message lists them
   */
  static ShardMapUse of(String text) {
    return switch (text) {
      case "auto" -> AUTO;
      case "none" -> NONE;
      default -> throw new IllegalArgumentException("auto or none");
    };
  }
}
