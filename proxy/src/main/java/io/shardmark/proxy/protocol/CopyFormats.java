package io.shardmark.proxy.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * The body of CopyInResponse, CopyOutResponse and CopyBothResponse.
 *
 * @param format of the whole copy: 0 text, 1 binary
 * @param columnFormats of each column, all 0 if {@code format} is 0
 */
public record CopyFormats(int format, List<Integer> columnFormats) {
  public CopyFormats {
    columnFormats = List.copyOf(columnFormats);
  }

  /**
   * Reads a whole message.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static CopyFormats read(Message message) {
    return decode(message.fields());
  }

  static CopyFormats decode(BodyReader body) {
    int format = body.int8();
    int count = body.count("column formats", Short.BYTES);
    List<Integer> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      columns.add((int) body.int16());
    }
    body.expectEnd();
    return new CopyFormats(format, columns);
  }
}
