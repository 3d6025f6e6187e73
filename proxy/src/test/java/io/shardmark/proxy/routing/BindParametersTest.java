package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.KeyFormatException;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys read from the bytes of Bind (PG18 §54.7 protocol-message-formats). */
class BindParametersTest {
  private static final int[] NONE = {};

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] binary(int bytes, long value) {
    byte[] result = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      result[i] = (byte) (value >> (8 * (bytes - 1 - i)));
    }
    return result;
  }

  private static BindParameters bind(int[] formats, int[] types, byte[] @Nullable ... values) {
    ByteBuf body = Unpooled.buffer();
    body.writeShort(formats.length);
    for (int format : formats) {
      body.writeShort(format);
    }
    body.writeShort(values.length);
    for (byte[] value : values) {
      body.writeInt(value == null ? -1 : value.length);
      if (value != null) {
        body.writeBytes(value);
      }
    }
    body.writeShort(0);
    return parameters(body, types);
  }

  /**
   * @param rest of a Bind, behind its names
   */
  private static BindParameters parameters(ByteBuf rest, int[] types) {
    ByteBuf message = Unpooled.buffer();
    message.writeByte('B').writeInt(Integer.BYTES + 2 + rest.readableBytes()).writeShort(0);
    message.writeBytes(rest, rest.readerIndex(), rest.readableBytes());
    BindReader reader = new BindReader(new NameCache());
    reader.read(message, 0, message.readableBytes());
    return new BindParameters(reader, types);
  }

  @Test
  void readsTextAndBinaryIntegersOfEveryWidth() {
    BindParameters mixed =
        bind(
            new int[] {0, 1, 1, 1},
            NONE,
            text(" -42 "),
            binary(2, -2),
            binary(4, -3),
            binary(8, Long.MIN_VALUE));
    assertThat(mixed.value(0, KeyType.INTEGER)).isEqualTo(-42L);
    assertThat(mixed.value(1, KeyType.INTEGER)).isEqualTo(-2L);
    assertThat(mixed.value(2, KeyType.INTEGER)).isEqualTo(-3L);
    assertThat(mixed.value(3, KeyType.INTEGER)).isEqualTo(Long.MIN_VALUE);
    assertThat(bind(new int[] {1}, NONE, binary(4, 1), binary(4, 2)).value(1, KeyType.INTEGER))
        .isEqualTo(2L);
  }

  @Test
  void nullIsNoKey() {
    assertThat(bind(new int[0], NONE, new byte[][] {null}).value(0, KeyType.INTEGER)).isNull();
  }

  @Test
  void refusesWhatIsNoInteger() {
    for (String value :
        new String[] {"", "5.0", "1e3", "0x10", "1_0", "9223372036854775808", "-"}) {
      assertThatThrownBy(() -> bind(new int[0], NONE, text(value)).value(0, KeyType.INTEGER))
          .as(value)
          .isInstanceOf(KeyFormatException.class);
    }
    assertThat(bind(new int[0], NONE, text("9223372036854775807")).value(0, KeyType.INTEGER))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(bind(new int[0], NONE, text("-9223372036854775808")).value(0, KeyType.INTEGER))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void refusesBinaryValuesDeclaredAsOtherNumbers() {
    int float8 = 701;
    assertThatThrownBy(
            () ->
                bind(new int[] {1}, new int[] {float8}, binary(8, Double.doubleToLongBits(5)))
                    .value(0, KeyType.INTEGER))
        .isInstanceOf(KeyFormatException.class);
    assertThatThrownBy(() -> bind(new int[] {1}, NONE, binary(3, 5)).value(0, KeyType.INTEGER))
        .isInstanceOf(KeyFormatException.class);
  }

  @Test
  void readsTexts() {
    assertThat(bind(new int[] {1}, NONE, text("grün")).value(0, KeyType.TEXT)).isEqualTo("grün");
    assertThatThrownBy(
            () -> bind(new int[0], NONE, new byte[] {(byte) 0xFC}).value(0, KeyType.TEXT))
        .isInstanceOf(KeyFormatException.class);
  }

  @Test
  void readsArrays() {
    assertThat(bind(new int[0], NONE, text("{1, NULL,\"3\"}")).elements(0, KeyType.INTEGER))
        .containsExactly(1L, 3L);
    ByteBuf array = Unpooled.buffer();
    array.writeInt(1).writeInt(1).writeInt(20).writeInt(3).writeInt(1);
    array.writeInt(8).writeLong(7).writeInt(-1).writeInt(8).writeLong(-9);
    byte[] bytes = new byte[array.readableBytes()];
    array.readBytes(bytes);
    assertThat(bind(new int[] {1}, NONE, bytes).elements(0, KeyType.INTEGER))
        .containsExactly(7L, -9L);
    assertThatThrownBy(() -> bind(new int[0], NONE, text("{{1},{2}}")).elements(0, KeyType.INTEGER))
        .isInstanceOf(KeyFormatException.class);
  }

  /** Blanks at the end of a bpchar do not count; a server may well take such values. */
  @Test
  void refusesTextsDeclaredAsOtherTypes() {
    int bpchar = 1042;
    int bpcharArray = 1014;
    int numeric = 1700;
    assertRefused(
        () -> bind(new int[0], new int[] {bpchar}, text("a ")).value(0, KeyType.TEXT), true);
    assertRefused(
        () -> bind(new int[0], new int[] {bpcharArray}, text("{\"a \"}")).elements(0, KeyType.TEXT),
        true);
    assertRefused(
        () -> bind(new int[0], new int[] {numeric}, text("5.0")).value(0, KeyType.INTEGER), true);
    assertRefused(() -> bind(new int[0], NONE, text("5.0")).value(0, KeyType.INTEGER), false);
    assertRefused(
        () -> bind(new int[0], NONE, text("[0:1]={1,2}")).elements(0, KeyType.INTEGER), true);
    assertThat(bind(new int[0], new int[] {1009}, text("{\"a \"}")).elements(0, KeyType.TEXT))
        .containsExactly("a ");
  }

  private static void assertRefused(ThrowingCallable reading, boolean perhapsValid) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            KeyFormatException.class,
            e ->
                assertThat(e.state().equals(SqlState.FEATURE_NOT_SUPPORTED))
                    .isEqualTo(perhapsValid));
  }

  @Test
  void everyTruncationIsAKeyFormatError() {
    ByteBuf body = Unpooled.buffer();
    body.writeShort(0).writeShort(2);
    body.writeInt(1).writeBytes(text("1")).writeInt(2).writeBytes(text("42"));
    int length = body.writerIndex();
    for (int end = 4; end < length; end++) {
      BindParameters cut = parameters(body.slice(0, end), NONE);
      assertThatThrownBy(() -> cut.value(1, KeyType.INTEGER))
          .isInstanceOf(KeyFormatException.class);
    }
    assertThat(parameters(body, NONE).value(1, KeyType.INTEGER)).isEqualTo(42L);
  }
}
