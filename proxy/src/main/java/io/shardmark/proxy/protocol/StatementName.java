package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The name under which the proxy prepares a statement on servers: of a length that is known before
 * it is written.
 */
public final class StatementName {
  private static final byte[] PREFIX = "shardmark_".getBytes(StandardCharsets.US_ASCII);
  private static final int ID_DIGITS = 16;

  /** The id of the unnamed statement. */
  public static final long UNNAMED = 0;

  private static final int NAMED_LENGTH = PREFIX.length + ID_DIGITS + 1;

  private StatementName() {}

  /** As the servers' pg_prepared_statements shows it. */
  public static String of(long statementId) {
    return new String(PREFIX, StandardCharsets.US_ASCII) + "%016x".formatted(statementId);
  }

  /** Whether a message of a server names one. */
  public static boolean isIn(String message) {
    return message.contains(new String(PREFIX, StandardCharsets.US_ASCII));
  }

  /** With its terminator, in bytes. */
  static int encodedLength(long statementId) {
    return statementId == UNNAMED ? 1 : NAMED_LENGTH;
  }

  static void write(ByteBuf out, long statementId) {
    if (statementId != UNNAMED) {
      out.writeBytes(PREFIX);
      out.writeLong(digits(statementId >>> Integer.SIZE));
      out.writeLong(digits(statementId & 0xFFFF_FFFFL));
    }
    out.writeByte(0);
  }

  /** Eight hexadecimal digits in ASCII, all at once: half a byte is spread to a byte. */
  private static long digits(long half) {
    long spread = (half | half << 16) & 0x0000_FFFF_0000_FFFFL;
    spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FFL;
    spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0FL;
    long letters = (spread + 0x0606_0606_0606_0606L) >>> 4 & 0x0101_0101_0101_0101L;
    return spread + 0x3030_3030_3030_3030L + letters * ('a' - '0' - 10);
  }
}
