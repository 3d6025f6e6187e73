package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** COPY FROM STDIN in the binary format, dealt out over two shards. */
final class BinaryCopyInTest {
  private static final byte[] HEADER =
      "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4", "sharding: {names: name}");
    proxy.makeOnShards(
        "create table t (twice int generated always as (2 * id) stored, v text, id bigint)"
            + " partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard);"
            + "create table names (name text, v int);"
            + "create table r (id int, v text)");
  }

  private static long copyIn(Connection connection, String sql, byte[] data, int chunk)
      throws SQLException, IOException {
    CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
    return copy.copyIn(sql, new ByteArrayInputStream(data), chunk);
  }

  /** Rows of (text, bigint), with header and trailer. */
  private static byte[] rows(int first, int last) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HEADER);
    for (int id = first; id <= last; id++) {
      byte[] text = ("row " + id).getBytes(StandardCharsets.UTF_8);
      out.writeShort(2);
      out.writeInt(id % 10 == 0 ? -1 : text.length);
      out.write(id % 10 == 0 ? new byte[0] : text);
      out.writeInt(8);
      out.writeLong(id);
    }
    out.writeShort(-1);
    return bytes.toByteArray();
  }

  private static int queryInt(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  @Test
  void putsEachTupleOnTheShardOfItsKeyWhereverMessagesAreCut() throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      int first = 1;
      for (int chunk : new int[] {1, 7, 19, 64 * 1024}) {
        int last = first + 299;
        byte[] data = rows(first, last);
        assertThat(copyIn(connection, "copy t from stdin (format binary)", data, chunk))
            .isEqualTo(300);
        assertThat(
                queryInt(
                    connection,
                    "select count(*) from t where id between " + first + " and " + last))
            .isEqualTo(300);
        first = last + 1;
      }
      assertThat(queryInt(connection, "select count(*) from t where v is null")).isEqualTo(120);
      try (Connection shard = proxy.shard(0)) {
        assertThat(queryInt(shard, "select count(*) from t")).isBetween(1, 1199);
      }
      byte[] data = rows(1, 20);
      assertThat(copyIn(connection, "copy binary t (v, id) from stdin", data, 100)).isEqualTo(20);
      assertThat(copyIn(connection, "copy r (v, id) from stdin binary", HEADER, 100)).isZero();
      byte[] noTrailer = Arrays.copyOf(data, data.length - 2);
      assertThat(copyIn(connection, "copy t from stdin binary", noTrailer, 3)).isEqualTo(20);
      statement.execute("truncate t");
    }
  }

  @Test
  void routesTextKeys() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HEADER);
    for (int i = 0; i < 100; i++) {
      byte[] name = ("näme " + i).getBytes(StandardCharsets.UTF_8);
      out.writeShort(2);
      out.writeInt(name.length);
      out.write(name);
      out.writeInt(4);
      out.writeInt(i);
    }
    out.writeShort(-1);
    try (Connection connection = proxy.connect()) {
      assertThat(copyIn(connection, "copy names from stdin binary", bytes.toByteArray(), 1000))
          .isEqualTo(100);
      for (int i = 0; i < 100; i++) {
        assertThat(queryInt(connection, "select v from names where name = 'näme " + i + "'"))
            .isEqualTo(i);
      }
    }
  }

  /** The same SQLSTATE and message as a server gives, and nothing is left behind. */
  @Test
  void refusesMalformedDataAsPostgresDoes() throws Exception {
    byte[] good = rows(1, 4);
    Map<String, byte[]> bad = new LinkedHashMap<>();
    bad.put("nothing", new byte[0]);
    bad.put("signature", changed(good, 3, 'x'));
    bad.put("flags missing", Arrays.copyOf(good, 13));
    bad.put("length missing", Arrays.copyOf(good, 16));
    bad.put("oids", changed(good, 12, 1));
    bad.put("critical flags", changed(good, 11, 1));
    bad.put("negative extension", changed(good, 15, 0xff));
    bad.put("extension too short", changed(Arrays.copyOf(good, 19), 18, 5));
    bad.put("fields", changed(good, 20, 3));
    bad.put("field size", changed(good, 21, 0x80));
    bad.put("cut behind a count", Arrays.copyOf(good, 21));
    bad.put("cut in a length", Arrays.copyOf(good, 23));
    bad.put("cut in a field", Arrays.copyOf(good, 27));
    bad.put("behind the trailer", Arrays.copyOf(good, good.length + 1));
    bad.put("key too short", keyOf(5));
    try (Connection connection = proxy.connect();
        Connection shard = proxy.shard(0);
        Statement statement = shard.createStatement()) {
      statement.execute("create temp table oracle (v text, id bigint)");
      for (Map.Entry<String, byte[]> data : bad.entrySet()) {
        byte[] bytes = data.getValue();
        SQLException expected =
            assertThrows(
                SQLException.class,
                () -> copyIn(shard, "copy oracle from stdin binary", bytes, 9),
                data.getKey());
        SQLException e =
            assertThrows(
                SQLException.class,
                () -> copyIn(connection, "copy t from stdin binary", bytes, 9),
                data.getKey());
        assertThat(e.getSQLState()).as(data.getKey()).isEqualTo(expected.getSQLState());
        assertThat(firstLine(e)).as(data.getKey()).isEqualTo(firstLine(expected));
        assertThat(queryInt(connection, "select count(*) from t")).isZero();
      }
    }
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static byte[] changed(byte[] data, int at, int value) {
    byte[] copy = data.clone();
    copy[at] = (byte) value;
    return copy;
  }

  private static byte[] keyOf(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HEADER);
    out.writeShort(2);
    out.writeInt(-1);
    out.writeInt(length);
    out.write(new byte[length]);
    out.writeShort(-1);
    return bytes.toByteArray();
  }
}
