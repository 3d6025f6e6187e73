package io.shardmark.proxy.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.routing.BindParameters;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.KeyFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys as Bind brings them, and the shard they lead to, against PostgreSQL's own answer. */
final class KeyOracleTest {
  private static final long SEED = 20261122;
  private static final int VALUES = 600;
  private static final List<Integer> MODULI = List.of(1, 2, 3, 5, 8, 97, 1024);

  @TempDir private Path directory;

  private enum Format {
    TEXT,
    BINARY
  }

  /** A Bind with one value. */
  private static @Nullable Object read(
      byte @Nullable [] value, Format format, int typeOid, KeyType type) {
    ByteBuf body = Unpooled.buffer();
    body.writeByte('B').writeInt(0).writeShort(0);
    body.writeShort(1).writeShort(format == Format.BINARY ? 1 : 0).writeShort(1);
    body.writeInt(value == null ? -1 : value.length);
    if (value != null) {
      body.writeBytes(value);
    }
    BindReader reader = new BindReader(new NameCache());
    reader.read(body, 0, body.readableBytes());
    return new BindParameters(reader, new int[] {typeOid}).value(0, type);
  }

  private static byte[] binary(long value, int bytes) {
    byte[] out = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      out[i] = (byte) (value >> (8 * (bytes - 1 - i)));
    }
    return out;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(40);
    for (int i = 0; i < length; i++) {
      int kind = random.nextInt(10);
      text.appendCodePoint(
          kind < 6
              ? ' ' + random.nextInt(95)
              : kind < 8 ? 0xA1 + random.nextInt(0x500) : 0x1F300 + random.nextInt(200));
    }
    return text.toString();
  }

  private static long randomNumber(Random random, int bits) {
    long value = random.nextInt(3) == 0 ? random.nextInt(200) - 100 : random.nextLong();
    long[] edges = {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 32};
    value = random.nextInt(20) == 0 ? edges[random.nextInt(edges.length)] : value;
    return value << (64 - bits) >> (64 - bits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"smallint", "integer", "bigint"})
  void hashesNumbersAsTheServer(String type) throws SQLException {
    Random random = new Random(SEED);
    int bits = type.equals("smallint") ? 16 : type.equals("integer") ? 32 : 64;
    List<String> texts = new ArrayList<>();
    List<@Nullable Object> keys = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      long value = randomNumber(random, bits);
      texts.add(Long.toString(value));
      // As any type that is wide enough, the client need not declare the column's.
      int width = (bits / 8) << random.nextInt(bits == 64 ? 1 : 2);
      int oid = width == 2 ? 21 : width == 4 ? 23 : 20;
      keys.add(
          random.nextBoolean()
              ? read(binary(value, width), Format.BINARY, oid, KeyType.INTEGER)
              : read(utf8(Long.toString(value)), Format.TEXT, 0, KeyType.INTEGER));
      assertThat(keys.get(i)).isEqualTo(value);
    }
    assertRemainders(type, texts, keys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "varchar", "varchar(64)"})
  void hashesTextsAsTheServer(String type) throws SQLException {
    Random random = new Random(SEED);
    List<String> texts = new ArrayList<>();
    List<@Nullable Object> keys = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      String text = i == 0 ? "" : randomText(random);
      texts.add(text);
      Format format = random.nextBoolean() ? Format.BINARY : Format.TEXT;
      keys.add(read(utf8(text), format, random.nextBoolean() ? 25 : 1043, KeyType.TEXT));
    }
    assertRemainders(type, texts, keys);
  }

  @Test
  void hashesUuidsAsTheServer() throws SQLException {
    Random random = new Random(SEED);
    List<String> texts = new ArrayList<>();
    List<@Nullable Object> keys = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      UUID uuid = i == 0 ? new UUID(0, 0) : new UUID(random.nextLong(), random.nextLong());
      String plain = uuid.toString().replace("-", "");
      List<String> forms =
          List.of(
              uuid.toString(),
              uuid.toString().toUpperCase(Locale.ROOT),
              plain,
              "{" + uuid + "}",
              plain.replaceAll("(.{4})(?=.)", "$1-"));
      String text = forms.get(random.nextInt(forms.size()));
      texts.add(text);
      keys.add(
          random.nextBoolean()
              ? read(utf8(text), Format.TEXT, random.nextBoolean() ? 2950 : 0, KeyType.UUID)
              : read(
                  ByteBuffer.allocate(16)
                      .putLong(uuid.getMostSignificantBits())
                      .putLong(uuid.getLeastSignificantBits())
                      .array(),
                  Format.BINARY,
                  2950,
                  KeyType.UUID));
      assertThat(keys.get(i)).isEqualTo(uuid);
    }
    assertRemainders("uuid", texts, keys);
  }

  private static void assertRemainders(String type, List<String> texts, List<@Nullable Object> keys)
      throws SQLException {
    TwoShards shards = TwoShards.create();
    shards.execute(0, "create table t (k %s) partition by hash (k)".formatted(type));
    String sql =
        """
        select count(*) from unnest(?::text[], ?::int[]) u (v, r)
        where satisfies_hash_partition('t'::regclass, ?, r, v::%s)\
        """
            .formatted(type);
    try (Connection connection = shards.connect(0);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int modulus : MODULI) {
        PartitionRule rule = HashRule.oneRemainderPerShard(modulus);
        Object[] remainders = keys.stream().map(rule::shardOf).toArray();
        statement.setArray(1, connection.createArrayOf("text", texts.toArray()));
        statement.setArray(2, connection.createArrayOf("int4", remainders));
        statement.setInt(3, modulus);
        assertThat(number(statement)).as("modulus %d", modulus).isEqualTo(keys.size());
        if (modulus > 1) { // the question can be answered with no
          remainders[0] = ((Integer) remainders[0] + 1) % modulus;
          statement.setArray(2, connection.createArrayOf("int4", remainders));
          assertThat(number(statement)).isEqualTo(keys.size() - 1);
        }
      }
    }
  }

  private static int number(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private Table table(TwoShards shards, String name) throws Exception {
    Path file = Files.writeString(directory.resolve("proxy.yaml"), shards.yaml());
    try (CatalogReader reader =
        new CatalogReader(new ShardConnections(ProxyConfig.read(file)), Clock.systemUTC())) {
      return Objects.requireNonNull(
          reader.read(Map.of()).map().table(new TableName("public", name)), name);
    }
  }

  /**
   * Partitions on two shards, and all of them in one database: where that one puts a row decides.
   *
   * @param bounds in turn for shard 0 and shard 1
   */
  private void assertPlaces(String column, String by, List<String> bounds, List<String> values)
      throws Exception {
    TwoShards shards = TwoShards.create();
    TwoShards whole = TwoShards.create();
    String parent = "create table t (" + column + ") partition by " + by;
    shards.executeOnBoth(parent);
    whole.execute(0, parent);
    for (int i = 0; i < bounds.size(); i++) {
      String partition = "create table p%d partition of t %s".formatted(i, bounds.get(i));
      shards.execute(i % 2, partition);
      whole.execute(0, partition);
    }
    Sharding sharding = table(shards, "t").sharding();
    assertThat(sharding).isInstanceOf(Sharding.ByColumn.class);
    Sharding.ByColumn byColumn = (Sharding.ByColumn) sharding;
    try (Connection connection = whole.connect(0);
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into t select ?::text::%s returning substr(tableoid::regclass::text, 2)::int"
                    .formatted(column.split(" ", 3)[1]))) {
      for (String value : values) {
        byte[] bytes = value.equals("NULL") ? null : utf8(value);
        Object key = read(bytes, Format.TEXT, 0, byColumn.keyType());
        int shard = byColumn.rule().shardOf(key);
        insert.setString(1, bytes == null ? null : value);
        try (ResultSet row = insert.executeQuery()) {
          row.next();
          assertThat(shard).as("shard of %s", value).isEqualTo(row.getInt(1) % 2);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as("%s: %s", value, e.getMessage()).isEqualTo("23514");
          assertThat(shard).as("shard of %s", value).isEqualTo(PartitionRule.NO_PARTITION);
        }
      }
    }
  }

  private static final List<String> NUMBERS =
      List.of(
          "-9223372036854775808",
          "-2147483649",
          "-100",
          "-7",
          "-6",
          "-1",
          "0",
          "1",
          "2",
          "9",
          "10",
          "11",
          "99",
          "100",
          "9223372036854775806",
          "9223372036854775807",
          "NULL");

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "a",
          "A",
          "aa",
          "b",
          "it's",
          "a,b",
          "'",
          "''",
          "(x)",
          "NULL",
          "null",
          "\\",
          "\\'",
          "é",
          "ü",
          "\uD834\uDD1E",
          "￿",
          "z",
          "zz",
          "MINVALUE",
          "a'::text, 'b",
          "10",
          "9");

  @Test
  void listsOfNumbers() throws Exception {
    List<String> bounds =
        List.of(
            "for values in (-9223372036854775808, -1, 10)",
            "for values in (9223372036854775807, 0)",
            "for values in (null)",
            "for values in (1, 2)");
    assertPlaces("k bigint", "list (k)", bounds, NUMBERS);
    List<String> withDefault = new ArrayList<>(bounds.subList(0, 2));
    withDefault.add("default");
    assertPlaces("k bigint", "list (k)", withDefault, NUMBERS);
  }

  @Test
  void rangesOfNumbers() throws Exception {
    assertPlaces(
        "k bigint",
        "range (k)",
        List.of(
            "for values from (minvalue) to (-2147483648)",
            "for values from (-7) to (-6)",
            "for values from (0) to (10)",
            "for values from (10) to (11)",
            "for values from (100) to (maxvalue)"),
        NUMBERS);
    assertPlaces(
        "k bigint",
        "range (k)",
        List.of("for values from (-100) to (9223372036854775807)", "default"),
        NUMBERS);
  }

  @Test
  void listsOfTexts() throws Exception {
    assertPlaces(
        "k text",
        "list (k)",
        List.of(
            "for values in ('', 'it''s', 'NULL', 'a,b')",
            "for values in ('(x)', '''', 'é', 'a''::text, ''b')",
            "for values in (E'\\\\', '\uD834\uDD1E')",
            "for values in (' ', 'A', null, '10')",
            "default"),
        TEXTS.stream().filter(text -> !text.equals("NULL")).toList());
  }

  @Test
  void rangesOfTexts() throws Exception {
    assertPlaces(
        "k text collate \"C\"",
        "range (k)",
        List.of(
            "for values from (minvalue) to ('')",
            "for values from ('') to ('A')",
            "for values from ('A') to ('it''s')",
            "for values from ('it''s') to ('é')",
            "for values from ('￿') to ('\uD834\uDD1E')",
            "for values from ('\uD834\uDD1E') to (maxvalue)"),
        TEXTS);
  }

  @Test
  void listsAndRangesOfUuids() throws Exception {
    List<String> values =
        List.of(
            "00000000-0000-0000-0000-000000000000",
            "7fffffff-ffff-ffff-ffff-ffffffffffff",
            "80000000-0000-0000-0000-000000000000",
            "80000000-0000-0000-7fff-ffffffffffff",
            "80000000-0000-0000-8000-000000000000",
            "{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "NULL");
    assertPlaces(
        "k uuid",
        "list (k)",
        List.of(
            "for values in ('00000000-0000-0000-0000-000000000000', null)",
            "for values in ('80000000-0000-0000-0000-000000000000')",
            "for values in ('7fffffff-ffff-ffff-ffff-ffffffffffff')",
            "for values in ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')"),
        values);
    assertPlaces(
        "k uuid",
        "range (k)",
        List.of(
            "for values from (minvalue) to ('7fffffff-ffff-ffff-ffff-ffffffffffff')",
            "for values from ('7fffffff-ffff-ffff-ffff-ffffffffffff')"
                + " to ('80000000-0000-0000-8000-000000000000')",
            "for values from ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11') to (maxvalue)"),
        values);
  }

  /** What PostgreSQL never takes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a112",
        "a0ee-bc999c0b4ef8bb6d6bb9bd380a1-1",
        "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11",
        "-a0eebc999c0b4ef8bb6d6bb9bd380a11",
        "a0eebc999c0b4ef8bb6d6bb9bd380a11-",
        "{a0eebc999c0b4ef8bb6d6bb9bd380a11",
        "a0eebc999c0b4ef8bb6d6bb9bd380a1g"
      })
  void otherNotationsAreNoKeys(String text) {
    assertThatThrownBy(() -> read(utf8(text), Format.TEXT, 0, KeyType.UUID))
        .isInstanceOf(KeyFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "date",
        "timestamp",
        "timestamptz",
        "numeric",
        "boolean",
        "char(5)",
        "bytea",
        "oid",
        "\"char\"",
        "name",
        "text collate folding",
        "int[]"
      })
  void otherTypesAreRefused(String type) throws Exception {
    TwoShards shards = TwoShards.create();
    shards.executeOnBoth(
        "create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic ="
            + " false)",
        "create table t (k " + type + ", v int) partition by list (k)");
    shards.execute(0, "create table t0 partition of t for values in (null)");
    assertThat(table(shards, "t").sharding()).isInstanceOf(Sharding.Unroutable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hash (k, j)",
        "range (k, j)",
        "list ((k + 1))",
        "hash ((k % 10))",
        "hash (b text_pattern_ops)",
        "list (b collate \"POSIX\")",
        "range (b)"
      })
  void otherKeysAreRefused(String by) throws Exception {
    TwoShards shards = TwoShards.create();
    shards.executeOnBoth(
        // Neither the default operators nor collation C.
        "create table t (k int, j int, b text collate \"en-x-icu\") partition by " + by);
    try (Connection connection = shards.connect(0);
        Statement statement = connection.createStatement()) {
      String bound =
          by.startsWith("hash")
              ? "with (modulus 2, remainder 0)"
              : by.startsWith("list")
                  ? "in (null)"
                  : by.contains("j") ? "from (1, 1) to (2, 2)" : "from ('a') to ('b')";
      statement.execute("create table t0 partition of t for values " + bound);
    }
    assertThat(table(shards, "t").sharding()).isInstanceOf(Sharding.Unroutable.class);
  }
}
