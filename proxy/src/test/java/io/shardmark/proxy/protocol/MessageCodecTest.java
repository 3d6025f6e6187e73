package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LeakCheck.class)
class MessageCodecTest {
  /** Their bodies may have any length. */
  private static final Set<FrontendType> OPAQUE_OF_CLIENTS =
      Set.of(FrontendType.COPY_DATA, FrontendType.PASSWORD);

  static Stream<FrontendMessage> ofClients() {
    return Messages.ofClients().stream();
  }

  static Stream<BackendMessage> ofServers() {
    return Messages.ofServers().stream();
  }

  @ParameterizedTest
  @MethodSource("ofClients")
  void readsWhatItWrites(FrontendMessage message) {
    assertThat(readFrontend(Messages.encoded(message::encode))).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("ofServers")
  void readsWhatItWrites(BackendMessage message) {
    assertThat(readBackend(Messages.encoded(message::encode))).isEqualTo(message);
  }

  @Test
  void knowsAMessageOfEveryType() {
    assertThat(ofClients().map(FrontendMessage::type)).contains(FrontendType.values());
    assertThat(ofServers().map(BackendMessage::type)).contains(BackendType.values());
  }

  @Test
  void nothingToAdviseIsNoHint() {
    ErrorFields error = ErrorFields.error(SqlState.SYNTAX_ERROR, "no");
    assertThat(error.withHint("")).isEqualTo(error);
    assertThat(error.withHint("Yes.").hint()).isEqualTo("Yes.");
  }

  // Written by hand after PG18 §54.7 protocol-message-formats.
  @ParameterizedTest
  @CsvSource({
    "42 0000000c 00 00 0000 0000 0000, F Bind 13 \"\" \"\" 0 0 0",
    "42 0000001b 7000 7300 0001 0001 0002 00000001 41 ffffffff 0001 0000,"
        + " F Bind 28 \"p\" \"s\" 1 1 2 'A' NULL 1 0",
    "50 00000013 6100 53454c454354 00 0001 00000017, F Parse 20 \"a\" \"SELECT\" 1 23",
    "51 00000006 3b00, F Query 7 \";\"",
    "44 00000007 53 6100, F Describe 8 S \"a\"",
    "43 00000006 50 00, F Close 7 P \"\"",
    "45 00000009 00 00000005, F Execute 10 \"\" 5",
    "53 00000004, F Sync 5",
    "48 00000004, F Flush 5",
    "58 00000004, F Terminate 5",
    "64 00000006 410a, F CopyData 7 'A\\x0a'",
    "66 00000006 7800, F CopyFail 7 \"x\"",
  })
  void readsAndTracesClientsBytes(String hex, String trace) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThat(traceFrontend(bytes)).isEqualTo(trace);
    assertThat(Messages.encoded(readFrontend(bytes)::encode)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "52 00000008 00000000, B Authentication 9 0",
    "5a 00000005 54, B ReadyForQuery 6 T",
    "43 0000000d 53454c454354203100, B CommandComplete 14 \"SELECT 1\"",
    "44 0000000f 0002 00000001 31 ffffffff, B DataRow 16 2 '1' NULL",
    "54 0000001a 0001 6100 00000001 0002 00000017 0004 ffffffff 0001,"
        + " B RowDescription 27 1 \"a\" 1 2 23 4 -1 1",
    "74 0000000a 0001 00000017, B ParameterDescription 11 1 23",
    "53 00000008 6100 6200, B ParameterStatus 9 \"a\" \"b\"",
    "47 00000009 00 0001 0000, B CopyInResponse 10 0 1 0",
    "31 00000004, B ParseComplete 5",
    "45 0000001d 534552524f5200 564552524f5200 433432363031 00 4d7800 00,"
        + " B ErrorResponse 30 S \"ERROR\" C \"42601\" M \"x\"",
  })
  void readsAndTracesServersBytes(String hex, String trace) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThat(traceBackend(bytes)).isEqualTo(trace);
    assertThat(Messages.encoded(readBackend(bytes)::encode)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @MethodSource("ofClients")
  void refusesEveryTruncation(FrontendMessage message) {
    byte[] bytes = Messages.encoded(message::encode);
    if (OPAQUE_OF_CLIENTS.contains(message.type())) {
      assertThat(readFrontend(Arrays.copyOf(bytes, bytes.length - 1))).isNotEqualTo(message);
      return;
    }
    for (int length = Encoding.HEADER_LENGTH; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> readFrontend(cut))
          .isInstanceOf(ProtocolViolationException.class)
          .hasMessageStartingWith(message.type().messageName());
    }
  }

  @ParameterizedTest
  @MethodSource("ofServers")
  void refusesEveryTruncation(BackendMessage message) {
    byte[] bytes = Messages.encoded(message::encode);
    for (int length = Encoding.HEADER_LENGTH; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (isOpaque(message, length)) {
        assertThat(readBackend(cut)).isNotEqualTo(message);
      } else {
        assertThatThrownBy(() -> readBackend(cut)).isInstanceOf(ProtocolViolationException.class);
      }
    }
  }

  private static boolean isOpaque(BackendMessage message, int length) {
    int body = length - Encoding.HEADER_LENGTH;
    boolean opaqueLogin =
        message instanceof BackendMessage.AuthenticationRequest step
            && (step.request() instanceof Authentication.SaslContinue
                || step.request() instanceof Authentication.SaslFinal
                || step.request() instanceof Authentication.Other);
    boolean shorterKey = message instanceof BackendMessage.BackendKeyData && body >= 8;
    return message instanceof BackendMessage.CopyData || (opaqueLogin && body >= 4) || shorterKey;
  }

  @ParameterizedTest
  @MethodSource("ofClients")
  void refusesBytesLeftOver(FrontendMessage message) {
    byte[] bytes = Messages.encoded(message::encode);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    if (OPAQUE_OF_CLIENTS.contains(message.type())) {
      assertThat(readFrontend(longer)).isNotEqualTo(message);
    } else {
      assertThatThrownBy(() -> readFrontend(longer)).isInstanceOf(ProtocolViolationException.class);
    }
  }

  @Test
  void refusesCountsThatCannotBe() {
    for (String hex :
        List.of(
            "42 00000000 00 00 ffff 0000 0000", // formats
            "42 00000000 00 00 0000 ffff 0000", // values
            "42 00000000 00 00 0000 0001 fffffffe 0000", // a value of length -2
            "42 00000000 00 00 0000 0001 7fffffff 0000",
            "42 00000000 00 00 0002 0000 0000 0001 ffffffff 0000", // 2 formats, 1 value
            "42 00000000 00 00 0001 0002 0000 0000", // format code 2
            "50 00000000 00 00 ffff 00000017",
            "44 00000000 58 00")) { // a kind of thing that there is not
      byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
      assertThatThrownBy(() -> readFrontend(bytes))
          .as(hex)
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  @Test
  void refusesTypesThatThereAreNot() {
    for (int code = 0; code < 256; code++) {
      byte type = (byte) code;
      boolean client = ofClients().anyMatch(message -> message.type().code() == type);
      boolean server = ofServers().anyMatch(message -> message.type().code() == type);
      if (!client) {
        assertThatThrownBy(() -> FrontendType.of(type))
            .isInstanceOf(ProtocolViolationException.class);
      }
      if (!server) {
        assertThatThrownBy(() -> BackendType.of(type))
            .isInstanceOf(ProtocolViolationException.class);
      }
    }
  }

  @Test
  void keepsPasswordsAndKeysOutOfTraces() {
    assertThat(traceFrontend(Messages.encoded(out -> FrontendMessages.password(out, "hidden"))))
        .isEqualTo("F AuthenticationAnswer 12 ...");
    assertThat(
            traceBackend(
                Messages.encoded(out -> BackendMessages.backendKeyData(out, 9, new byte[4]))))
        .isEqualTo("B BackendKeyData 13 ...");
  }

  @Test
  void refusesToWriteStringsWithZeroInside() {
    assertThatThrownBy(() -> Messages.encoded(out -> FrontendMessages.query(out, "a\0b")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static FrontendMessage readFrontend(byte[] bytes) {
    ByteBuf buffer = Messages.buffer(bytes);
    try {
      return FrontendMessage.read(buffer, 0, bytes.length);
    } finally {
      buffer.release();
    }
  }

  private static BackendMessage readBackend(byte[] bytes) {
    ByteBuf buffer = Messages.buffer(bytes);
    try {
      return BackendMessage.read(buffer, 0, bytes.length);
    } finally {
      buffer.release();
    }
  }

  private static String traceFrontend(byte[] bytes) {
    ByteBuf buffer = Messages.buffer(bytes);
    try {
      return Trace.frontend(buffer, 0, bytes.length);
    } finally {
      buffer.release();
    }
  }

  private static String traceBackend(byte[] bytes) {
    ByteBuf buffer = Messages.buffer(bytes);
    try {
      return Trace.backend(buffer, 0, bytes.length);
    } finally {
      buffer.release();
    }
  }
}
