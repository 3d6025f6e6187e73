package io.shardmark.proxy.routing;

/** A parameter that decides the route cannot be read as its type; nothing was sent. */
public final class KeyFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean perhapsValid;

  /** The value is none of the type. */
  public KeyFormatException(String message) {
    this(message, false);
  }

  private KeyFormatException(String message, boolean perhapsValid) {
    super(message);
    this.perhapsValid = perhapsValid;
  }

  /** A server might read the value, in a way that is not read here. */
  static KeyFormatException notReadHere(String message) {
    return new KeyFormatException(message, true);
  }

  /** Whether a server might take the value: then it is refused, not wrong. */
  public boolean isPerhapsValid() {
    return perhapsValid;
  }
}
