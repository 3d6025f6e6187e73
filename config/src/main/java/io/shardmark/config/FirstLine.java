package io.shardmark.config;

/**
 * What a message to users says of a fault: the first line of its own. Servers and drivers add
 * details in further ones. Pure; any thread.
 */
public final class FirstLine {
  private FirstLine() {}

  /** Never empty. */
  public static String of(Throwable fault) {
    String message = fault.getMessage();
    return message == null || message.isBlank()
        ? "no message"
        : message.strip().lines().findFirst().orElseThrow().strip();
  }
}
