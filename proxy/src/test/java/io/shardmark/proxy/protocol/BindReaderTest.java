package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LeakCheck.class)
class BindReaderTest {
  private static final int OFFSET = 7;

  private final BindReader reader = new BindReader(new NameCache());

  static Stream<FrontendMessage.Bind> binds() {
    return Messages.ofClients().stream()
        .filter(FrontendMessage.Bind.class::isInstance)
        .map(FrontendMessage.Bind.class::cast);
  }

  @ParameterizedTest
  @MethodSource("binds")
  void readsWhatTheRecordReads(FrontendMessage.Bind bind) {
    ByteBuf buffer = placed(Messages.encoded(bind::encode));
    try {
      reader.read(buffer, OFFSET, buffer.readableBytes() - OFFSET);
      assertThat(reader.portal()).isEqualTo(bind.portal());
      assertThat(reader.statement()).isEqualTo(bind.statement());
      assertThat(values()).isEqualTo(bind.values());
      assertThat(formats()).isEqualTo(formatsOf(bind));
      assertThat(resultFormats()).isEqualTo(bind.resultFormats());
    } finally {
      buffer.release();
    }
  }

  @ParameterizedTest
  @MethodSource("binds")
  void renamesTheStatementWithAndWithoutCopy(FrontendMessage.Bind bind) {
    ByteBuf buffer = placed(Messages.encoded(bind::encode));
    long id = 0xfedcba9876543210L;
    FrontendMessage.Bind renamed =
        new FrontendMessage.Bind(
            bind.portal(),
            StatementName.of(id),
            bind.formats(),
            bind.values(),
            bind.resultFormats());
    try {
      reader.read(buffer, OFFSET, buffer.readableBytes() - OFFSET);
      assertThat(Messages.encoded(out -> FrontendMessages.bind(out, reader, id)))
          .isEqualTo(Messages.encoded(renamed::encode));
      ByteBuf prefix = buffer.alloc().buffer();
      FrontendMessages.bindPrefix(prefix, reader, id);
      ByteBuf whole =
          Unpooled.wrappedBuffer(
              prefix, reader.buffer().retainedSlice(reader.restStart(), reader.restLength()));
      assertThat(ByteBufUtil.getBytes(whole)).isEqualTo(Messages.encoded(renamed::encode));
      whole.release();
    } finally {
      buffer.release();
    }
  }

  @ParameterizedTest
  @MethodSource("binds")
  void refusesEveryTruncationAndBytesLeftOver(FrontendMessage.Bind bind) {
    byte[] bytes = Messages.encoded(bind::encode);
    for (int length = Encoding.HEADER_LENGTH; length <= bytes.length + 1; length++) {
      ByteBuf buffer = placed(Arrays.copyOf(bytes, length));
      int messageLength = length;
      if (length != bytes.length) {
        assertThatThrownBy(
                () -> {
                  reader.read(buffer, OFFSET, messageLength);
                  reader.parameterCount();
                })
            .isInstanceOf(ProtocolViolationException.class);
      }
      buffer.release();
    }
  }

  @Test
  void readsAsManyParametersAsThereCanBe() {
    List<@Nullable Bytes> values = new ArrayList<>();
    for (int i = 0; i < 65_535; i++) {
      values.add(Bytes.ofText(Integer.toString(i)));
    }
    FrontendMessage.Bind bind = new FrontendMessage.Bind("", "", List.of(0), values, List.of());
    ByteBuf buffer = placed(Messages.encoded(bind::encode));
    reader.read(buffer, OFFSET, buffer.readableBytes() - OFFSET);
    assertThat(reader.parameterCount()).isEqualTo(65_535);
    assertThat(reader.valueLength(65_534)).isEqualTo(5);
    buffer.release();
  }

  private List<@Nullable Bytes> values() {
    List<@Nullable Bytes> values = new ArrayList<>();
    for (int i = 0; i < reader.parameterCount(); i++) {
      int length = reader.valueLength(i);
      values.add(
          length < 0
              ? null
              : Bytes.of(ByteBufUtil.getBytes(reader.buffer(), reader.valueStart(i), length)));
    }
    return values;
  }

  private List<Boolean> formats() {
    List<Boolean> formats = new ArrayList<>();
    for (int i = 0; i < reader.parameterCount(); i++) {
      formats.add(reader.isBinary(i));
    }
    return formats;
  }

  private static List<Boolean> formatsOf(FrontendMessage.Bind bind) {
    List<Boolean> formats = new ArrayList<>();
    for (int i = 0; i < bind.values().size(); i++) {
      formats.add(
          switch (bind.formats().size()) {
            case 0 -> false;
            case 1 -> bind.formats().get(0) == 1;
            default -> bind.formats().get(i) == 1;
          });
    }
    return formats;
  }

  private List<Integer> resultFormats() {
    List<Integer> formats = new ArrayList<>();
    for (int i = 0; i < reader.resultFormatCount(); i++) {
      formats.add(reader.resultFormat(i));
    }
    return formats;
  }

  /** In the middle of a buffer, as messages come. */
  private static ByteBuf placed(byte[] message) {
    byte[] bytes = new byte[OFFSET + message.length];
    System.arraycopy(message, 0, bytes, OFFSET, message.length);
    return Messages.buffer(bytes);
  }
}
