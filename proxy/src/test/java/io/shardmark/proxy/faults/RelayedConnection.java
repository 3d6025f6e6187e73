package io.shardmark.proxy.faults;

import io.shardmark.proxy.faults.CommitPoint.Message;
import io.shardmark.proxy.faults.CommitPoint.Moment;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One connection through a {@link Relay}: a thread for each direction. No TLS. */
final class RelayedConnection {
  private static final int CANCEL_REQUEST = 80877102;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSSENC_REQUEST = 80877104;
  private static final Pattern TRANSFER = Pattern.compile("/\\* transfer (\\d+) \\*/");

  private final Relay relay;
  private final Socket from;
  private final Socket to;

  /** A request whose answer the trap wants to see. */
  private record Awaited(Message message, int transfer, String text) {}

  /** One element for each query under way: what its ReadyForQuery answers, if it matters. */
  private final BlockingQueue<Optional<Awaited>> queries = new LinkedBlockingQueue<>();

  private volatile int transfer = -1;
  private volatile boolean encryptionAsked;

  RelayedConnection(Relay relay, Socket from, Socket to) {
    this.relay = relay;
    this.from = from;
    this.to = to;
  }

  void start() {
    Relay.start(() -> pump(this::requests), relay.name() + "-requests");
    Relay.start(() -> pump(this::answers), relay.name() + "-answers");
  }

  private interface Direction {
    void run() throws IOException;
  }

  private void pump(Direction direction) {
    try {
      direction.run();
    } catch (IOException e) {
      // One side has gone; the other is told by the end of its stream.
    } finally {
      close();
      relay.ended(this);
    }
  }

  void close() {
    close(from);
    close(to);
  }

  /** Leaves the proxy without an end of the stream. */
  void reset() throws IOException {
    from.setSoLinger(true, 0);
    close();
  }

  /** Sends bytes of its own to the target; whoever calls sees to it that nothing else is sent. */
  void inject(byte[] bytes) throws IOException {
    try {
      to.getOutputStream().write(bytes);
      to.getOutputStream().flush();
    } catch (IOException e) {
      // One that has just ended has nobody to send to.
      if (!to.isClosed()) {
        throw e;
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed then.
    }
  }

  private void requests() throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream()));
    boolean starting = true;
    while (starting) {
      int length = in.readInt();
      int code = in.readInt();
      byte[] rest = in.readNBytes(length - 8);
      encryptionAsked = code == SSL_REQUEST || code == GSSENC_REQUEST;
      starting = encryptionAsked;
      relay.awaitFlow();
      if (code == CANCEL_REQUEST && relay.swallowsCancels()) {
        in.read(); // nothing is to come but the end
        return;
      }
      out.writeInt(length);
      out.writeInt(code);
      out.write(rest);
      out.flush();
    }
    while (true) {
      int tag = in.readUnsignedByte();
      int length = in.readInt();
      byte[] body = in.readNBytes(length - 4);
      if (request(tag, body) == Trap.Verdict.DROP) {
        return;
      }
      relay.awaitFlow();
      out.writeByte(tag);
      out.writeInt(length);
      out.write(relay.passed(tag, body));
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  private Trap.Verdict request(int tag, byte[] body) {
    if (tag == 'S') {
      queries.add(Optional.empty());
    }
    if (tag != 'Q' && tag != 'P') {
      return Trap.Verdict.PASS;
    }
    String text = new String(body, StandardCharsets.UTF_8).replace("\0", "");
    Matcher matcher = TRANSFER.matcher(text);
    if (matcher.find()) {
      transfer = Integer.parseInt(matcher.group(1));
    }
    Optional<Message> message = message(text);
    boolean wanted = message.filter(relay.trap()::wantsAnswer).isPresent();
    if (tag == 'Q') {
      queries.add(
          wanted ? Optional.of(new Awaited(message.get(), transfer, text)) : Optional.empty());
    }
    return message.isPresent()
        ? relay.trap().at(relay.name(), message.get(), Moment.REQUEST, transfer, text)
        : Trap.Verdict.PASS;
  }

  private Optional<Message> message(String text) {
    if (text.contains("PREPARE TRANSACTION 'shardmark:")) {
      return Optional.of(Message.PREPARE);
    } else if (text.contains("INSERT INTO shardmark.decision") && text.endsWith("COMMIT")) {
      return Optional.of(Message.DECISION);
    } else if (text.startsWith("COMMIT PREPARED 'shardmark:")) {
      return Optional.of(Message.COMMIT_PREPARED);
    } else if (text.equals("COMMIT") && relay.name().equals("client")) {
      return Optional.of(Message.CLIENT_COMMIT);
    }
    return Optional.empty();
  }

  private void answers() throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(to.getInputStream()));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(from.getOutputStream()));
    ByteArrayOutputStream held = new ByteArrayOutputStream();
    DataOutputStream frames = new DataOutputStream(held);
    boolean started = false;
    while (true) {
      int tag = in.readUnsignedByte();
      if (encryptionAsked && !started) {
        // One byte without a length: yes or no.
        encryptionAsked = false;
        out.writeByte(tag);
        out.flush();
        continue;
      }
      int length = in.readInt();
      frames.writeByte(tag);
      frames.writeInt(length);
      frames.write(in.readNBytes(length - 4));
      // An answer is held until its ReadyForQuery: then the server has done all it was asked.
      boolean isReady = tag == 'Z';
      Optional<Awaited> awaited =
          isReady && started
              ? Optional.ofNullable(queries.poll()).flatMap(a -> a)
              : Optional.empty();
      started |= isReady;
      boolean holding = queries.peek() != null && queries.peek().isPresent();
      if (awaited.isPresent() && answered(awaited.get(), Moment.ANSWER) == Trap.Verdict.DROP) {
        return;
      }
      relay.awaitFlow();
      if (isReady || !holding) {
        held.writeTo(out);
        held.reset();
        out.flush();
      }
      if (awaited.isPresent() && answered(awaited.get(), Moment.DELIVERED) == Trap.Verdict.DROP) {
        return;
      }
    }
  }

  private Trap.Verdict answered(Awaited awaited, Moment moment) {
    return relay
        .trap()
        .at(relay.name(), awaited.message(), moment, awaited.transfer(), awaited.text());
  }
}
