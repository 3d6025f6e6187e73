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
}
