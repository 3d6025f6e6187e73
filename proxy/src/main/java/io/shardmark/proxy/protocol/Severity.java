package io.shardmark.proxy.protocol;

/** Severities of errors and notices (PG18 §54.8 protocol-error-fields), never localised. */
public enum Severity {
  ERROR,
  FATAL,
  PANIC,
  WARNING,
  NOTICE,
  DEBUG,
  INFO,
  LOG;

  private static final Severity[] ALL = values();

  /** The severity of that name; ERROR for any other text (a localised one). */
  static Severity of(String text) {
    for (Severity severity : ALL) {
      if (severity.name().equals(text)) {
        return severity;
      }
    }
    return ERROR;
  }
}
