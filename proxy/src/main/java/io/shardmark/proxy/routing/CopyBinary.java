package io.shardmark.proxy.routing;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The frame of COPY's binary format (PG18 sql-copy, Binary Format): signature, flags, an extension
 * of a given length; then tuples; then a trailer.
 */
public final class CopyBinary {
  /** A field count of -1 where the next tuple would begin. */
  public static final int TRAILER = -1;

  private static final byte[] SIGNATURE =
      "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final String NO_SIGNATURE = "COPY file signature not recognized";
  private static final int WITH_OIDS = 1 << 16;
  private static final int CRITICAL = 0xffff_0000;
  private static final int FIXED_BYTES = SIGNATURE.length + 2 * Integer.BYTES;

  private CopyBinary() {}

  /**
   * What is wrong with the header as far as it has come, in PostgreSQL's words; null: nothing yet.
   */
  public static @Nullable String fault(ByteBuf data, int start, int length) {
    if (!hasSignature(data, start, length)) {
      return NO_SIGNATURE;
    }
    if (length >= SIGNATURE.length + Integer.BYTES) {
      int flags = data.getInt(start + SIGNATURE.length);
      if ((flags & WITH_OIDS) != 0) {
        return "invalid COPY file header (WITH OIDS)";
      }
      if ((flags & CRITICAL) != 0) {
        return "unrecognized critical flags in COPY file header";
      }
    }
    if (length >= FIXED_BYTES && data.getInt(start + FIXED_BYTES - Integer.BYTES) < 0) {
      return "invalid COPY file header (missing length)";
    }
    return null;
  }

  /** What a header lacks that ends so early. */
  public static String missing(ByteBuf data, int start, int length) {
    if (length < SIGNATURE.length || !hasSignature(data, start, length)) {
      return NO_SIGNATURE;
    }
    if (length < SIGNATURE.length + Integer.BYTES) {
      return "invalid COPY file header (missing flags)";
    }
    return length < FIXED_BYTES
        ? "invalid COPY file header (missing length)"
        : "invalid COPY file header (wrong length)";
  }

  /** How long the header is, or -1 if there is no whole and well-formed one. */
  public static int headerBytes(ByteBuf data, int start, int length) {
    if (length < FIXED_BYTES || !hasSignature(data, start, length)) {
      return -1;
    }
    int extension = data.getInt(start + FIXED_BYTES - Integer.BYTES);
    return extension < 0 || extension > length - FIXED_BYTES ? -1 : FIXED_BYTES + extension;
  }

  /** Whether it begins so, as far as it has come. */
  private static boolean hasSignature(ByteBuf data, int start, int length) {
    for (int i = 0; i < Math.min(length, SIGNATURE.length); i++) {
      if (data.getByte(start + i) != SIGNATURE[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether these bytes are the trailer and nothing else. */
  public static boolean isTrailer(ByteBuf data, int start, int length) {
    return length == Short.BYTES && data.getShort(start) == TRAILER;
  }
}
