package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

/** COPY into a sharded table of rows that are too long to be gathered into one write. */
final class CopyOfLargeRowsTest {
  private static final int ROWS = 100;
  private static final byte[] BINARY_HEADER =
      "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2);
    proxy.makeOnShards(
        "create table w (id int primary key, v text) partition by hash (id);"
            + "create table w_$shard partition of w"
            + " for values with (modulus 2, remainder $shard)");
  }

  private static String value(int id, int chars) {
    return String.valueOf((char) ('A' + id % 26)).repeat(chars) + id;
  }

  private static byte[] data(String format, int chars) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    boolean binary = format.equals("binary");
    if (binary) {
      out.write(BINARY_HEADER);
    }
    for (int id = 1; id <= ROWS; id++) {
      byte[] value = value(id, chars).getBytes(StandardCharsets.US_ASCII);
      if (binary) {
        out.writeShort(2);
        out.writeInt(Integer.BYTES);
        out.writeInt(id);
        out.writeInt(value.length);
        out.write(value);
      } else {
        out.writeBytes(id + (format.equals("csv") ? "," : "\t"));
        out.write(value);
        out.write('\n');
      }
    }
    if (binary) {
      out.writeShort(-1);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({"text,8000", "text,30000", "csv,9000", "csv,150000", "binary,9000", "binary,150000"})
  void eachRowIsItself(String format, int chars) throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate w");
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "copy w from stdin (format " + format + ")",
              new ByteArrayInputStream(data(format, chars)));
      try (ResultSet row =
          statement.executeQuery(
              "select count(*) from w where v = repeat(chr(65 + id % 26), " + chars + ") || id")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(ROWS);
      }
    }
  }
}
