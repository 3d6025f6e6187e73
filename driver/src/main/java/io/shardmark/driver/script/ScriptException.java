package io.shardmark.driver.script;

import io.shardmark.driver.benchmark.CannotGoOnException;

/** A script asks for something that cannot be done. Found while it runs, it ends the run. */
final class ScriptException extends CannotGoOnException {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message);
  }

  static ScriptException expected(String expected, String found) {
    return new ScriptException(
        "expected %s, found %s"
            .formatted(expected, found.isEmpty() ? "the end" : "'" + found + "'"));
  }

  /**
   * @param place file and line
   */
  ScriptException at(String place) {
    return new ScriptException(place + ": " + getMessage());
  }
}
