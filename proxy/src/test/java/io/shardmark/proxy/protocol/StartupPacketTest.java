package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
class StartupPacketTest {
  static Stream<byte[]> packets() {
    return Messages.startupPackets().stream();
  }

  @Test
  void readsAStartupMessage() {
    assertThat(read("00000012 00030000 75736572 00 626f62 00 00"))
        .isEqualTo(
            new StartupPacket.Startup(ProtocolVersion.V3_0, Map.of("user", "bob"), List.of()));
  }

  @Test
  void readsRequests() {
    assertThat(read("00000008 04d2162f")).isEqualTo(new StartupPacket.SslRequest());
    assertThat(read("00000008 04d21630")).isEqualTo(new StartupPacket.GssEncRequest());
    assertThat(read("00000010 04d2162e 00000007 01020304"))
        .isEqualTo(new StartupPacket.Cancel(new CancelKey(7, Bytes.of(new byte[] {1, 2, 3, 4}))));
  }

  @Test
  void takesCancelKeysOf4To256Bytes() {
    for (int length : new int[] {4, 32, 256}) {
      byte[] packet =
          Messages.encoded(out -> FrontendMessages.cancelRequest(out, 1, new byte[length]));
      assertThat(read(packet)).isInstanceOf(StartupPacket.Cancel.class);
    }
    for (int length : new int[] {0, 3, 257, 1000}) {
      byte[] packet =
          Messages.encoded(out -> FrontendMessages.cancelRequest(out, 1, new byte[length]));
      assertThatThrownBy(() -> read(packet)).isInstanceOf(ProtocolViolationException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 9, 65_535})
  void speaksTheClientsMinorVersionOrTheNewest(int minor) {
    byte[] packet =
        Messages.encoded(
            out ->
                FrontendMessages.startup(out, new ProtocolVersion(3, minor), Map.of("user", "a")));
    StartupPacket.Startup startup = (StartupPacket.Startup) Objects.requireNonNull(read(packet));
    assertThat(startup.spokenVersion().minor()).isEqualTo(Math.min(minor, 2));
    assertThat(startup.needsNegotiation()).isEqualTo(minor > 2);
  }

  @Test
  void keepsProtocolOptionsApart() {
    byte[] packet =
        Messages.encoded(
            out ->
                FrontendMessages.startup(
                    out, ProtocolVersion.V3_2, Map.of("user", "a", "_pq_.x", "1")));
    StartupPacket.Startup startup = (StartupPacket.Startup) Objects.requireNonNull(read(packet));
    assertThat(startup.protocolOptions()).containsExactly("_pq_.x");
    assertThat(startup.parameters()).isEqualTo(Map.of("user", "a"));
    assertThat(startup.needsNegotiation()).isTrue();
  }

  @Test
  void refusesOtherMajorVersions() {
    for (String version : List.of("00020000", "00040000", "00000000", "ffffffff")) {
      assertThatThrownBy(() -> read("00000009 " + version + " 00"))
          .isInstanceOfSatisfying(
              ProtocolViolationException.class,
              e -> assertThat(e.sqlState()).isEqualTo(SqlState.FEATURE_NOT_SUPPORTED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000", "00000004", "00000007", "00002711", "7fffffff", "ffffffff"})
  void refusesLengthsOutOf8To10000(String length) {
    assertThatThrownBy(() -> read(length)).isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @MethodSource("packets")
  void waitsForTheWholePacketAndConsumesNothingBefore(byte[] packet) {
    for (int length = 0; length < packet.length; length++) {
      ByteBuf in = Messages.buffer(Arrays.copyOf(packet, length));
      assertThat(StartupPacket.read(in)).isNull();
      assertThat(in.readableBytes()).isEqualTo(length);
      in.release();
    }
  }

  @ParameterizedTest
  @MethodSource("packets")
  void leavesWhatFollows(byte[] packet) {
    ByteBuf in = Messages.buffer(Arrays.copyOf(packet, packet.length + 3));
    assertThat(StartupPacket.read(in)).isNotNull();
    assertThat(in.readableBytes()).isEqualTo(3);
    in.release();
  }

  @Test
  void refusesBodiesThatEndTooEarlyOrTooLate() {
    for (String packet :
        List.of(
            "00000008 00030000", // no terminator
            "0000000c 00030000 75736572", // a string without an end
            "0000000d 00030000 75736572 00", // a name without a value
            "0000000a 00030000 00 00", // a byte left over
            "0000000c 04d2162f 00000000", // SSLRequest with a body
            "0000000b 04d2162e 000000")) { // CancelRequest too short
      assertThatThrownBy(() -> read(packet))
          .as(packet)
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  private static @Nullable StartupPacket read(String hex) {
    return read(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static @Nullable StartupPacket read(byte[] bytes) {
    ByteBuf in = Messages.buffer(bytes);
    try {
      return StartupPacket.read(in);
    } finally {
      in.release();
    }
  }
}
