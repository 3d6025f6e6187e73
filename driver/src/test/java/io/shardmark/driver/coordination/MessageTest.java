package io.shardmark.driver.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MessageTest {
  private static final List<Message> ALL =
      List.of(
          new Message.Hello(
              new DriverIdentity(
                  2,
                  "Shardmark 1",
                  new DriverIdentity.Share(4, 6, 28, 29, 7),
                  Map.of("workload", "TPC-C", "retries", "3"))),
          new Message.Welcome(new GroupTerms("a-b-c", 3, -1L, true, 17)),
          new Message.Ready(),
          new Message.Ping(Long.MIN_VALUE),
          new Message.Pong(5, -7),
          new Message.Start(new StartInstant(1L << 60, 12_345)),
          new Message.StopRequest("was told to end"),
          new Message.Stop(-1, "driver 1 was told to end"),
          new Message.Abort("warum — darum"),
          new Message.FileBegin("data/result.csv", 1L << 40),
          new Message.Chunk(new byte[] {1, 2, 3}),
          new Message.Done(),
          new Message.Received());

  private static byte[] body(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    message.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void everyMessageComesBack() throws IOException {
    Set<MessageType> seen = EnumSet.noneOf(MessageType.class);
    for (Message message : ALL) {
      Message back = MessageType.of(message.type().code()).decode(body(message));
      if (message instanceof Message.Chunk chunk) {
        assertThat(((Message.Chunk) back).bytes()).isEqualTo(chunk.bytes());
      } else {
        assertThat(back).isEqualTo(message);
      }
      seen.add(message.type());
    }
    assertThat(seen).containsExactlyInAnyOrder(MessageType.values());
  }

  @Test
  void refusesEveryTruncationAndWhatIsLeftOver() throws IOException {
    for (Message message : ALL) {
      byte[] whole = body(message);
      if (message.type() == MessageType.CHUNK) {
        continue; // any bytes are a chunk
      }
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> message.type().decode(cut))
            .as("%s cut to %d bytes", message.type(), length)
            .isInstanceOf(ProtocolException.class);
      }
      byte[] longer = Arrays.copyOf(whole, whole.length + 1);
      assertThatThrownBy(() -> message.type().decode(longer))
          .as("%s and a byte", message.type())
          .isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  void randomBodiesNeverFailOtherwise() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<MessageType> types = List.of(MessageType.values());
    for (int i = 0; i < 20_000; i++) {
      byte[] body = new byte[random.nextInt(200)];
      random.nextBytes(body);
      MessageType type = types.get(random.nextInt(types.size()));
      try {
        type.decode(body);
      } catch (IOException e) {
        assertThat(e).as("seed %d", seed).isInstanceOf(ProtocolException.class);
      }
    }
  }

  @Test
  void refusesLengthsAndTypesThatAreNone() {
    assertThatThrownBy(() -> MessageType.HELLO.checkLength(-1))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> MessageType.PING.checkLength(65_537))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> MessageType.CHUNK.checkLength(Integer.MAX_VALUE))
        .isInstanceOf(ProtocolException.class);
    for (int code = 0; code < 256; code++) {
      byte wrong = (byte) code;
      if (code < 1 || code > MessageType.values().length) {
        assertThatThrownBy(() -> MessageType.of(wrong)).isInstanceOf(ProtocolException.class);
      }
    }
  }

  /** A reason of any length can be told. */
  @Test
  void cutsLongTexts() throws IOException {
    Message.Abort longer = new Message.Abort("€".repeat(5000));

    Message back = MessageType.ABORT.decode(body(longer));

    assertThat(((Message.Abort) back).reason()).isEqualTo("€".repeat(Message.MOST_TEXT));
  }
}
