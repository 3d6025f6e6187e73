package io.shardmark.config;

/**
 * A password. Its text form is a mask, so that it cannot reach a log, a console line or an
 * exception message by accident.
 *
 * @param value the clear text
 */
public record Secret(String value) {
  @Override
  public String toString() {
    return "***********";
  }
}
