package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Bind with values, of a received one or of the proxy's own; one that is passed on with
 * all that it has is {@link FrontendMessages#bind(ByteBuf, BindReader, long)}. Appends one whole
 * message when its result formats are given.
 */
public final class BindWriter {
  private final ByteBuf out;
  private final int start;

  /** Begins the message. */
  public BindWriter(ByteBuf out, String portal, String statement) {
    this.out = out;
    this.start = Encoding.begin(out, FrontendType.BIND.code());
    Encoding.writeString(out, portal);
    Encoding.writeString(out, statement);
  }

  /** All parameters of a received Bind. */
  public BindWriter parameters(BindReader from) {
    int[] all = new int[from.parameterCount()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return parameters(from, all);
  }

  /** Some parameters of a received Bind, in that order. */
  public BindWriter parameters(BindReader from, int[] chosen) {
    return parameters(from, chosen, List.of());
  }

  /** Some parameters of a received Bind, in that order, and further ones in text. */
  public BindWriter parameters(BindReader from, int[] chosen, List<String> further) {
    int count = chosen.length + further.size();
    out.writeShort(count);
    for (int parameter : chosen) {
      out.writeShort(from.isBinary(parameter) ? 1 : 0);
    }
    out.writeZero(Short.BYTES * further.size());
    out.writeShort(count);
    for (int parameter : chosen) {
      int length = from.valueLength(parameter);
      out.writeInt(length);
      if (length > 0) {
        out.writeBytes(from.buffer(), from.valueStart(parameter), length);
      }
    }
    further.forEach(this::text);
    return this;
  }

  /** Parameters in text; null: NULL. */
  public BindWriter texts(List<@Nullable String> values) {
    out.writeShort(0).writeShort(values.size());
    for (String value : values) {
      if (value == null) {
        out.writeInt(-1);
      } else {
        text(value);
      }
    }
    return this;
  }

  private void text(String value) {
    out.writeInt(ByteBufUtil.utf8Bytes(value));
    ByteBufUtil.writeUtf8(out, value);
  }

  /** All columns in text. */
  public void resultsInText() {
    out.writeShort(0);
    Encoding.end(out, start);
  }

  /**
   * Result formats as a received Bind has them.
   *
   * @param hidden so many columns follow those that the client knows: they are text if it gives
   *     formats one by one
   */
  public void resultFormats(BindReader from, int hidden) {
    int given = from.resultFormatCount();
    int written = given <= 1 ? given : given + hidden;
    out.writeShort(written);
    for (int i = 0; i < written; i++) {
      out.writeShort(i < given ? from.resultFormat(i) : 0);
    }
    Encoding.end(out, start);
  }
}
