package io.shardmark.config;

/** Key {@code loadDirect}: the way of the rows into a sharded database. */
public enum LoadDirect implements NamedConstant {
  /** Straight to their shards if all of them can be reached, else through the endpoint. */
  AUTO,
  /** Straight to their shards; a load that cannot is refused. */
  ALWAYS,
  /** Through the endpoint. */
  NEVER;

  @Override
  public String propertyName() {
    return switch (this) {
      case AUTO -> "auto";
      case ALWAYS -> "true";
      case NEVER -> "false";
    };
  }
}
