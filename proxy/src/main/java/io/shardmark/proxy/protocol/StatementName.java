package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The name under which the proxy prepares a statement on servers: of a length that is known before
 * it is written.
 */
public final class StatementName {
  private static final byte[] PREFIX = "shardmark_".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int ID_DIGITS = 16;

  /** The id of the unnamed statement. */
  public static final long UNNAMED = 0;

  private static final int NAMED_LENGTH = PREFIX.length + ID_DIGITS + 1;

  private StatementName() {}

  /** As the servers' pg_prepared_statements shows it. */
  public static String of(long statementId) {
    return new String(PREFIX, StandardCharsets.US_ASCII) + "%016x".formatted(statementId);
  }

  /** With its terminator, in bytes. */
  static int encodedLength(long statementId) {
    return statementId == UNNAMED ? 1 : NAMED_LENGTH;
  }

  static void write(ByteBuf out, long statementId) {
    if (statementId != UNNAMED) {
      out.writeBytes(PREFIX);
      for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
        out.writeByte(DIGITS[(int) (statementId >>> shift) & 0xF]);
      }
    }
    out.writeByte(0);
  }
}
