package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.shardmark.proxy.protocol.scram.ScramServer;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Hostile inputs: random bytes, and valid messages with a few bytes changed, cut, doubled or
 * joined. Whatever comes, the answer is a message or a {@link ProtocolViolationException}, and
 * every buffer is released. The seed is printed; {@code -Dshardmark.fuzz.seed=N} repeats a run,
 * {@code -Dshardmark.fuzz.inputs=N} makes it longer.
 */
class FuzzTest {
  private static final int INPUTS = Integer.getInteger("shardmark.fuzz.inputs", 250_000);
  private static final int MAX_RANDOM_BYTES = 64;
  private static final int MAX_MUTATIONS = 4;

  /** Of so many startup inputs one goes on as SASL, which hashes and so takes longer. */
  private static final int SASL_SHARE = 8;

  private static final int LIMIT = MessageLimits.SMALL_MESSAGE_BYTES;

  private final long seed = Long.getLong("shardmark.fuzz.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  // One arena and no cache tell at the end whether everything came back.
  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(false, 1, 0, 8192, 9, 0, 0, false);
  private final NameCache names = new NameCache();
  private final BindReader bind = new BindReader(names);
  private final ParseReader parse = new ParseReader(names);
  private final ScramVerifier verifier = ScramVerifier.mock(Bytes.of((byte) 1), "x");
  private int violations;
  private int understood;

  @Test
  void nothingButProtocolViolationsComesOfHostileInput() {
    System.out.println("FuzzTest seed " + seed);
    List<byte[]> client =
        Messages.ofClients().stream().map(message -> Messages.encoded(message::encode)).toList();
    List<byte[]> server =
        Messages.ofServers().stream().map(message -> Messages.encoded(message::encode)).toList();
    List<byte[]> startup = Messages.startupPackets();
    for (int i = 0; i < INPUTS; i++) {
      int way = random.nextInt(10);
      if (way < 5) {
        feed(client, this::readAsClients);
      } else if (way < 8) {
        feed(server, this::readAsServers);
      } else {
        feed(startup, this::readAsStartup);
      }
    }
    assertThat(allocator.metric().heapArenas().get(0).numActiveAllocations()).isZero();
    // Were nearly all inputs refused at once, or none at all, nothing would have been tested.
    assertThat(violations).isGreaterThan(INPUTS / 10);
    assertThat(understood).isGreaterThan(INPUTS / 10);
  }

  private void feed(List<byte[]> valid, Consumer<ByteBuf> reader) {
    byte[] bytes = input(valid);
    ByteBuf in = allocator.heapBuffer(Math.max(bytes.length, 1)).writeBytes(bytes);
    try {
      reader.accept(in);
    } catch (ProtocolViolationException e) {
      violations++;
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ", input " + Bytes.of(bytes), e);
    }
  }

  private byte[] input(List<byte[]> valid) {
    if (random.nextInt(8) == 0) {
      byte[] bytes = new byte[random.nextInt(MAX_RANDOM_BYTES)];
      random.nextBytes(bytes);
      return bytes;
    }
    byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
    if (random.nextInt(4) == 0) {
      bytes = joined(bytes, valid.get(random.nextInt(valid.size())));
    }
    int mutations = random.nextInt(MAX_MUTATIONS);
    for (int i = 0; i < mutations && bytes.length > 0; i++) {
      bytes = mutated(bytes);
    }
    return bytes;
  }

  private byte[] mutated(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = random.nextBoolean() ? 0 : (byte) -1;
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      default -> {
        return joined(Arrays.copyOf(bytes, at), bytes);
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private void readAsClients(ByteBuf in) {
    MessageFramer framer =
        new MessageFramer(
            new Fuzzed() {
              @Override
              void read(ByteBuf buffer, int start, int length) {
                byte type = buffer.getByte(start);
                if (type == 'B') {
                  bind.read(buffer, start, length);
                  readBind();
                } else if (type == 'P') {
                  parse.read(buffer, start, length);
                  parse.definitionHash();
                }
                Trace.frontend(buffer, start, length);
              }
            },
            MessageLimits.client(LIMIT));
    readInTwoParts(framer, in);
  }

  private void readBind() {
    bind.statement();
    int count = bind.parameterCount();
    for (int i = 0; i < count; i++) {
      if (bind.valueLength(i) > 0) {
        bind.buffer().getByte(bind.valueStart(i) + bind.valueLength(i) - 1);
      }
      bind.isBinary(i);
    }
  }

  private void readAsServers(ByteBuf in) {
    MessageFramer framer =
        new MessageFramer(
            new Fuzzed() {
              @Override
              void read(ByteBuf buffer, int start, int length) {
                Trace.backend(buffer, start, length);
              }
            },
            MessageLimits.server(LIMIT));
    readInTwoParts(framer, in);
  }

  private void readInTwoParts(MessageFramer framer, ByteBuf in) {
    ByteBuf first = in.readRetainedSlice(random.nextInt(in.readableBytes() + 1));
    try {
      framer.read(first);
    } catch (ProtocolViolationException e) {
      in.release();
      throw e;
    }
    try {
      framer.read(in);
    } finally {
      framer.close();
    }
  }

  private void readAsStartup(ByteBuf in) {
    try {
      while (StartupPacket.read(in) != null) {
        understood++;
      }
      if (in.isReadable() && random.nextInt(SASL_SHARE) == 0) {
        readSasl(in);
      }
    } finally {
      in.release();
    }
  }

  private void readSasl(ByteBuf in) {
    String text = in.toString(StandardCharsets.ISO_8859_1);
    try {
      ScramServer scram = new ScramServer(verifier, "nonce", "n,,n=,r=" + text);
      scram.last(scram.challenge());
    } catch (ProtocolViolationException e) {
      violations++;
    }
  }

  /** Counts what could be read, and takes long rows in pieces. */
  private abstract class Fuzzed implements MessageFramer.FrameListener {
    abstract void read(ByteBuf buffer, int start, int length);

    @Override
    public void message(byte type, ByteBuf buffer, int start, int length) {
      read(buffer, start, length);
      understood++;
    }

    @Override
    public boolean streams(byte type, int length) {
      return length % 2 == 0;
    }

    @Override
    public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
      buffer.getByte(start + length - 1);
    }
  }
}
