package io.shardmark.proxy.dialog;

/** What has happened since the last ReadyForQuery. */
enum Cycle {
  /** No error has come. */
  CLEAN,
  /** An error has come. */
  FAILED,
  /** A BEGIN has been sent, and no error has come. */
  BEGINNING,
  /** A BEGIN has been sent, and an error that is not its own has come. */
  BEGINNING_FAILED,
  /** A BEGIN has failed, or been skipped: no transaction has begun. */
  BEGIN_FAILED;

  boolean hasFailed() {
    return this != CLEAN && this != BEGINNING;
  }

  boolean hasBegin() {
    return this != CLEAN && this != FAILED;
  }

  Cycle failed() {
    return switch (this) {
      case CLEAN, FAILED -> FAILED;
      case BEGINNING, BEGINNING_FAILED -> BEGINNING_FAILED;
      case BEGIN_FAILED -> BEGIN_FAILED;
    };
  }
}
