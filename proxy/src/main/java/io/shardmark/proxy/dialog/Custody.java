package io.shardmark.proxy.dialog;

/** Who may use a server connection after its present holder. */
enum Custody {
  /** Anyone. */
  FREE,
  /** Its holder has something on it that exists nowhere else: a lock, a temporary table. */
  KEPT,
  /** Nobody. */
  SPOILED,
  /** Nobody; and its holder has something on it. */
  KEPT_SPOILED,
  /** It is gone. */
  CLOSED,
  /** It is gone, and with it what its holder had on it. */
  KEPT_CLOSED;

  boolean isKept() {
    return this == KEPT || this == KEPT_SPOILED || this == KEPT_CLOSED;
  }

  boolean isClosed() {
    return this == CLOSED || this == KEPT_CLOSED;
  }

  boolean isSpoiled() {
    return this != FREE && this != KEPT;
  }

  Custody kept() {
    return switch (this) {
      case FREE, KEPT -> KEPT;
      case SPOILED, KEPT_SPOILED -> KEPT_SPOILED;
      case CLOSED, KEPT_CLOSED -> KEPT_CLOSED;
    };
  }

  Custody keptNothing() {
    return switch (this) {
      case FREE, KEPT -> FREE;
      case SPOILED, KEPT_SPOILED -> SPOILED;
      case CLOSED, KEPT_CLOSED -> CLOSED;
    };
  }

  Custody spoiled() {
    return switch (this) {
      case FREE, SPOILED -> SPOILED;
      case KEPT, KEPT_SPOILED -> KEPT_SPOILED;
      case CLOSED, KEPT_CLOSED -> this;
    };
  }

  Custody closed() {
    return isKept() ? KEPT_CLOSED : CLOSED;
  }
}
