package io.shardmark.proxy.protocol;

/** What Describe and Close name. */
public enum NameKind {
  /** A prepared statement. */
  STATEMENT('S'),
  /** A portal. */
  PORTAL('P');

  private final byte code;

  NameKind(char code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  static NameKind decode(BodyReader body) {
    byte code = body.int8();
    return switch (code) {
      case 'S' -> STATEMENT;
      case 'P' -> PORTAL;
      default -> throw body.violation("names a thing of kind 0x%02x".formatted(code));
    };
  }
}
