package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.RowField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;

/**
 * What a server answers to a query, as it comes over the wire.
 *
 * @param rows bodies of DataRow messages
 */
record Answer(List<RowField> columns, List<byte[]> rows) {
  /** How values come. */
  enum Format {
    TEXT,
    BINARY
  }

  /** Asks a server; the connection speaks the simple protocol, whose values are text. */
  static Answer of(Connection connection, String sql, Format format)
      throws SQLException, IOException {
    List<RowField> columns = new ArrayList<>();
    List<byte[]> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData meta = result.getMetaData();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        int oid =
            connection
                .unwrap(BaseConnection.class)
                .getTypeInfo()
                .getPGType(meta.getColumnTypeName(i));
        columns.add(
            new RowField(
                meta.getColumnName(i), 0, 0, oid, -1, -1, format == Format.BINARY ? 1 : 0));
      }
      while (format == Format.TEXT && result.next()) {
        byte[] @Nullable [] values = new byte[columns.size()][];
        for (int i = 0; i < values.length; i++) {
          String value = result.getString(i + 1);
          values[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        }
        rows.add(body(values));
      }
    }
    if (format == Format.BINARY) {
      binaryRows(connection, sql, rows);
    }
    return new Answer(columns, rows);
  }

  /** The body of a DataRow message. */
  static byte[] body(byte[] @Nullable [] values) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(ByteBuffer.allocate(Short.BYTES).putShort((short) values.length).array());
    for (byte[] value : values) {
      int length = value == null ? -1 : value.length;
      body.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
      body.writeBytes(value == null ? new byte[0] : value);
    }
    return body.toByteArray();
  }

  /** A tuple of binary COPY looks as a DataRow's body does. */
  private static void binaryRows(Connection connection, String sql, List<byte[]> rows)
      throws SQLException, IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyOut("copy (" + sql + ") to stdout (format binary)", out);
    ByteBuffer in = ByteBuffer.wrap(out.toByteArray());
    in.position(11 + 4);
    in.position(in.getInt() + in.position());
    while (true) {
      int begin = in.position();
      int fields = in.getShort();
      if (fields < 0) {
        return;
      }
      for (int i = 0; i < fields; i++) {
        int length = in.getInt();
        in.position(in.position() + Math.max(length, 0));
      }
      byte[] row = new byte[in.position() - begin];
      in.get(begin, row);
      rows.add(row);
    }
  }

  /** Merges answers whose rows come in between each other as the random numbers say. */
  static List<byte[]> merge(MergeSpec spec, List<Answer> answers, Random random, long memory) {
    List<byte[]> merged = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      positions.add(0);
      open.add(i);
    }
    try (RowMerger merger = spec.open(answers.get(0).columns(), false, answers.size(), memory)) {
      while (!open.isEmpty()) {
        int from = open.get(random.nextInt(open.size()));
        List<byte[]> rows = answers.get(from).rows();
        if (positions.get(from) == rows.size()) {
          merger.answerEnd(from, message -> merged.add(body(message)));
          open.remove(Integer.valueOf(from));
        } else if (!merger.ahead(from)) {
          ByteBuf row = Unpooled.wrappedBuffer(rows.get(positions.get(from)));
          merger.row(from, row, message -> merged.add(body(message)));
          row.release();
          positions.set(from, positions.get(from) + 1);
        }
      }
      merger.finish(message -> merged.add(body(message)));
      if (merger.rowCount() != merged.size()) {
        throw new AssertionError(merger.rowCount() + " rows counted, " + merged.size() + " given");
      }
    }
    return merged;
  }

  private static byte[] body(ByteBuf message) {
    if (message.readByte() != 'D' || message.readInt() != message.readableBytes() + 4) {
      throw new AssertionError("no whole DataRow message");
    }
    byte[] body = new byte[message.readableBytes()];
    message.readBytes(body);
    message.release();
    return body;
  }

  /** A row for people. */
  static String shown(byte[] body, Format format) {
    StringBuilder text = new StringBuilder();
    ByteBuffer in = ByteBuffer.wrap(body);
    int count = in.getShort();
    for (int i = 0; i < count; i++) {
      int length = in.getInt();
      if (length < 0) {
        text.append("NULL|");
        continue;
      }
      byte[] value = new byte[length];
      in.get(value);
      text.append(
              format == Format.TEXT
                  ? new String(value, StandardCharsets.UTF_8)
                  : java.util.HexFormat.of().formatHex(value))
          .append('|');
    }
    return text.toString();
  }
}
