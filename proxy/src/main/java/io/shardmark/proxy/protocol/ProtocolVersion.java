package io.shardmark.proxy.protocol;

/**
 * A version of the protocol (PG18 §54 protocol): major 3, minor 0 or 2 are spoken here; 3.1 was
 * never used.
 */
public record ProtocolVersion(int major, int minor) {
  public static final ProtocolVersion V3_0 = new ProtocolVersion(3, 0);
  public static final ProtocolVersion V3_2 = new ProtocolVersion(3, 2);

  static ProtocolVersion of(int minor) {
    return new ProtocolVersion(3, minor);
  }

  /** The version of a startup packet's first word. */
  public static ProtocolVersion ofWord(int word) {
    return new ProtocolVersion(word >>> 16, word & 0xFFFF);
  }

  /** As a startup packet has it. */
  public int word() {
    return major << 16 | minor;
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
