package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
class MessageFramerTest {
  private static final int LIMIT = 1 << 20;
  private static final int NEVER = Integer.MAX_VALUE;
  private static final int LONG_MESSAGE_BYTES = 3000;

  @ParameterizedTest
  @ValueSource(ints = {NEVER, 20, 1})
  void showsTheSameMessagesWhereverTheInputIsSplit(int streamFrom) {
    List<byte[]> expected = serverMessages();
    byte[] input = joined(expected);
    for (int split = 0; split <= input.length; split++) {
      RecordingListener listener = new RecordingListener(streamFrom);
      MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
      framer.read(Messages.buffer(Arrays.copyOf(input, split)));
      framer.read(Messages.buffer(Arrays.copyOfRange(input, split, input.length)));
      assertThat(listener.messages).as("split at %d", split).containsExactlyElementsOf(expected);
      assertThat(framer.isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {NEVER, 20, 1})
  void showsTheSameMessagesByteByByte(int streamFrom) {
    List<byte[]> expected = serverMessages();
    RecordingListener listener = new RecordingListener(streamFrom);
    MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
    for (byte b : joined(expected)) {
      framer.read(Messages.buffer(b));
    }
    assertThat(listener.messages).containsExactlyElementsOf(expected);
    assertThat(framer.isEmpty()).isTrue();
  }

  @Test
  void passesLongMessagesOnAsTheyCome() {
    byte[] row = longRow();
    RecordingListener listener = new RecordingListener(1000);
    MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
    framer.read(Messages.buffer(Arrays.copyOf(row, 100)));
    framer.read(Messages.buffer(Arrays.copyOfRange(row, 100, 2000)));
    framer.read(Messages.buffer(Arrays.copyOfRange(row, 2000, row.length)));
    assertThat(listener.pieceLengths).containsExactly(100, 1900, row.length - 2000);
    assertThat(listener.messages).containsExactly(row);
  }

  @Test
  void showsLongMessagesWholeIfTheyCameWhole() {
    RecordingListener listener = new RecordingListener(1000);
    MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
    framer.read(Messages.buffer(longRow()));
    assertThat(listener.pieceLengths).isEmpty();
    assertThat(listener.messages).containsExactly(longRow());
  }

  @Test
  void pausesAfterAnyMessageAndGoesOn() {
    List<byte[]> expected = serverMessages();
    byte[] input = joined(expected);
    for (int pauseAt = 1; pauseAt <= expected.size(); pauseAt++) {
      for (int split : new int[] {0, 3, input.length / 2, input.length - 1}) {
        RecordingListener listener = new RecordingListener(NEVER);
        MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
        int at = pauseAt;
        listener.react(
            number -> {
              if (number == at) {
                framer.pause();
              }
            });
        framer.read(Messages.buffer(Arrays.copyOf(input, split)));
        framer.read(Messages.buffer(Arrays.copyOfRange(input, split, input.length)));
        assertThat(listener.messages).hasSize(pauseAt);
        framer.resume();
        assertThat(listener.messages).containsExactlyElementsOf(expected);
        assertThat(framer.isEmpty()).isTrue();
      }
    }
  }

  @Test
  void showsAMessageThatWasHeldBackAgain() {
    List<byte[]> messages = serverMessages();
    byte[] input = joined(messages);
    for (int heldBack = 1; heldBack <= messages.size(); heldBack++) {
      List<byte[]> expected = new ArrayList<>(messages);
      expected.add(heldBack, messages.get(heldBack - 1));
      expected.add(heldBack, messages.get(heldBack - 1));
      for (int split = 0; split <= input.length; split += 7) {
        RecordingListener listener = new RecordingListener(NEVER);
        MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
        int at = heldBack;
        listener.react(
            number -> {
              if (number == at || number == at + 1) {
                framer.holdBack();
              }
            });
        framer.read(Messages.buffer(Arrays.copyOf(input, split)));
        framer.read(Messages.buffer(Arrays.copyOfRange(input, split, input.length)));
        framer.resume();
        framer.resume();
        assertThat(Arrays.deepEquals(listener.messages.toArray(), expected.toArray()))
            .as("message %d held back, input split at %d", heldBack, split)
            .isTrue();
        assertThat(framer.isEmpty()).isTrue();
      }
    }
  }

  @Test
  void showsAMessageAgainAtOnceIfTheHoldIsTakenBackInside() {
    byte[] sync = Messages.encoded(FrontendMessages::sync);
    RecordingListener listener = new RecordingListener(NEVER);
    MessageFramer framer = new MessageFramer(listener, MessageLimits.client(LIMIT));
    listener.react(
        number -> {
          if (number == 1) {
            framer.holdBack();
            framer.resume();
          }
        });
    framer.read(Messages.buffer(sync));
    assertThat(listener.messages).containsExactly(sync, sync);
  }

  @Test
  void givesUpItsRest() {
    List<byte[]> messages = serverMessages();
    RecordingListener listener = new RecordingListener(NEVER);
    MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
    listener.react(number -> framer.pause());
    framer.read(Messages.buffer(joined(messages)));
    ByteBuf rest = Objects.requireNonNull(framer.takeRest());
    try {
      assertThat(ByteBufUtil.getBytes(rest))
          .isEqualTo(joined(messages.subList(1, messages.size())));
    } finally {
      rest.release();
    }
  }

  @Test
  void dropsEverythingOnceClosed() {
    byte[] input = joined(serverMessages());
    for (int split = 0; split <= input.length; split += 5) {
      RecordingListener listener = new RecordingListener(NEVER);
      MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
      framer.read(Messages.buffer(Arrays.copyOf(input, split)));
      int shown = listener.messages.size();
      framer.close();
      framer.read(Messages.buffer(Arrays.copyOfRange(input, split, input.length)));
      assertThat(listener.messages).hasSize(shown);
      assertThat(framer.isEmpty()).isTrue();
    }
  }

  @Test
  void canBeClosedWhileItShowsAMessage() {
    byte[] input = joined(serverMessages());
    for (int split = 0; split <= input.length; split += 3) {
      RecordingListener listener = new RecordingListener(NEVER);
      MessageFramer framer = new MessageFramer(listener, MessageLimits.server(LIMIT));
      listener.react(
          number -> {
            if (number == 3) {
              framer.close();
            }
          });
      framer.read(Messages.buffer(Arrays.copyOf(input, split)));
      framer.read(Messages.buffer(Arrays.copyOfRange(input, split, input.length)));
      assertThat(listener.messages).hasSize(3);
      assertThat(framer.isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, LIMIT})
  void refusesLengthsBeforeAnythingIsAllocated(int lengthWord) {
    byte[] query = Messages.withLength(Messages.encoded(FrontendMessages::sync), lengthWord);
    query[0] = 'Q';
    MessageFramer framer =
        new MessageFramer(new RecordingListener(NEVER), MessageLimits.client(LIMIT));
    assertThatThrownBy(() -> framer.read(Messages.buffer(query)))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("length " + lengthWord);
    assertThat(framer.isEmpty()).isTrue();
  }

  @Test
  void takesTheLongestMessageAllowedAndNoLonger() {
    RecordingListener listener = new RecordingListener(NEVER);
    int limit = MessageLimits.SMALL_MESSAGE_BYTES;
    MessageFramer framer = new MessageFramer(listener, MessageLimits.client(limit));
    byte[] longest = new byte[limit];
    longest[0] = 'Q';
    byte[] query = Messages.withLength(longest, limit - 1);
    framer.read(Messages.buffer(query));
    assertThat(listener.messages).containsExactly(query);
    byte[] longer = Messages.withLength(Arrays.copyOf(query, limit + 1), limit);
    assertThatThrownBy(() -> framer.read(Messages.buffer(longer)))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void allocatesNoMoreThanHasCome() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    byte[] start = Arrays.copyOf(new byte[] {'Q', 0, 0x0F, 0, 0}, 100);
    MessageFramer framer =
        new MessageFramer(new RecordingListener(NEVER), MessageLimits.client(LIMIT));
    framer.read(allocator.buffer(start.length).writeBytes(start));
    assertThat(allocator.metric().usedHeapMemory()).isPositive().isLessThan(1000);
    framer.close();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  @Test
  void refusesTypesThatTheSenderDoesNotHave() {
    byte[] ready =
        Messages.encoded(out -> BackendMessages.readyForQuery(out, TransactionStatus.IDLE));
    MessageFramer client =
        new MessageFramer(new RecordingListener(NEVER), MessageLimits.client(LIMIT));
    assertThatThrownBy(() -> client.read(Messages.buffer(ready)))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessage("unexpected message type 0x5a");
  }

  @Test
  void takesNothingButSaslBeforeLogin() {
    byte[] query = Messages.encoded(out -> FrontendMessages.query(out, "SELECT 1"));
    MessageFramer login = new MessageFramer(new RecordingListener(NEVER), MessageLimits.login());
    assertThatThrownBy(() -> login.read(Messages.buffer(query)))
        .isInstanceOf(ProtocolViolationException.class);
  }

  private static List<byte[]> serverMessages() {
    return Messages.ofServers().stream().map(message -> Messages.encoded(message::encode)).toList();
  }

  private static byte[] longRow() {
    Bytes value = Bytes.of(new byte[LONG_MESSAGE_BYTES]);
    return Messages.encoded(new BackendMessage.DataRow(Messages.values(value))::encode);
  }

  private static byte[] joined(List<byte[]> parts) {
    byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
