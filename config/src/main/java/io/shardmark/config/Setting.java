package io.shardmark.config;

import java.util.OptionalInt;

/**
 * A key that was given a value.
 *
 * @param key its name
 * @param value as written, passwords masked
 * @param missing what holds without it, as the reference says; {@code required} if it must be there
 * @param line of the file; empty if it was given on the command line or by the environment
 */
public record Setting(String key, String value, String missing, OptionalInt line) {
  /** Whether it is other than what holds without it. */
  public boolean differs() {
    return !value.equalsIgnoreCase(missing);
  }
}
