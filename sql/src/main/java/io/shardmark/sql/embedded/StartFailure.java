package io.shardmark.sql.embedded;

/** A server ended before it took clients. */
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  StartFailure(String what, String reason) {
    super("conn: " + what + " did not start: " + reason);
  }

  boolean isPortTaken() {
    return says("could not bind") || says("cannot be bound");
  }

  /** A crashed server's processes can hold its shared memory for a moment. */
  boolean isMemoryHeld() {
    return says("shared memory block");
  }

  private boolean says(String words) {
    return String.valueOf(getMessage()).contains(words);
  }
}
