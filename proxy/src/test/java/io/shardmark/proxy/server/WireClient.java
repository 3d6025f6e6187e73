package io.shardmark.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import io.shardmark.proxy.protocol.scram.ScramClient;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A client that says whatever a test wants, for what drivers never do. Used by one thread. */
final class WireClient implements AutoCloseable {
  private static final int LIMIT_MILLIS = 60_000;
  private static final int SASL = 10;
  private static final int SASL_CONTINUE = 11;

  /** A message of the server; the body is what follows the length. */
  record Message(char type, Bytes content) {
    /** A field of an ErrorResponse or NoticeResponse, "" if it is not there. */
    String field(char code) {
      byte[] body = content.toArray();
      int at = 0;
      while (body[at] != 0) {
        int end = at + 1;
        while (body[end] != 0) {
          end++;
        }
        if (body[at] == code) {
          return new String(body, at + 1, end - at - 1, StandardCharsets.UTF_8);
        }
        at = end + 1;
      }
      return "";
    }

    /** The first column of a DataRow, as text. */
    String firstColumn() {
      byte[] body = content.toArray();
      int length = ByteBuffer.wrap(body).getInt(2);
      return length < 0 ? "null" : new String(body, 6, length, StandardCharsets.UTF_8);
    }

    /** All columns of a DataRow, as texts. */
    String row() {
      ByteBuffer body = ByteBuffer.wrap(content.toArray());
      List<String> values = new ArrayList<>();
      for (int count = body.getShort(); count > 0; count--) {
        int length = body.getInt();
        byte[] value = new byte[Math.max(0, length)];
        body.get(value);
        values.add(length < 0 ? "null" : new String(value, StandardCharsets.UTF_8));
      }
      return String.join(", ", values);
    }

    /** Names and types of a RowDescription; the numbers of tables differ between databases. */
    String columns() {
      ByteBuffer body = ByteBuffer.wrap(content.toArray());
      List<String> columns = new ArrayList<>();
      for (int count = body.getShort(); count > 0; count--) {
        StringBuilder name = new StringBuilder();
        for (byte next = body.get(); next != 0; next = body.get()) {
          name.append((char) next);
        }
        body.getInt();
        body.getShort();
        columns.add(name + " " + body.getInt());
        body.position(body.position() + 8);
      }
      return String.join(", ", columns);
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final Map<String, String> parameters = new HashMap<>();
  private CancelKey key = new CancelKey(0, Bytes.of(new byte[4]));

  private WireClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
  }

  /** Connected, nothing said yet. */
  static WireClient open(int port) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(LIMIT_MILLIS);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new WireClient(socket);
  }

  /** With a small window, so that what is not read does not pile up in the kernel. */
  static WireClient openSlow(int port, int receiveBytes) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(receiveBytes);
    socket.setSoTimeout(LIMIT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new WireClient(socket);
  }

  /** Ready for queries. */
  static WireClient login(int port) throws IOException {
    return open(port).startup(ProtocolVersion.V3_0, Map.of());
  }

  /** Ready for queries to a server itself, which asks for the password. */
  static WireClient loginToServer(int port, String database) throws IOException {
    return loginToServer(port, database, Map.of());
  }

  /** The same with further parameters in the startup message. */
  static WireClient loginToServer(int port, String database, Map<String, String> further)
      throws IOException {
    WireClient client = open(port);
    Map<String, String> who = new HashMap<>(Map.of("user", "postgres", "database", database));
    who.putAll(further);
    ScramClient scram = new ScramClient("", "nonce-of-a-test");
    client.send(out -> FrontendMessages.startup(out, ProtocolVersion.V3_0, who));
    for (Message message = client.next().orElseThrow();
        message.type() != 'Z';
        message = client.next().orElseThrow()) {
      if (message.type() == 'R') {
        client.authenticate(ByteBuffer.wrap(message.content().toArray()), scram);
      }
    }
    return client;
  }

  private void authenticate(ByteBuffer request, ScramClient scram) throws IOException {
    int code = request.getInt();
    String data = StandardCharsets.UTF_8.decode(request).toString();
    if (code == SASL) {
      send(out -> FrontendMessages.saslInitialResponse(out, "SCRAM-SHA-256", scram.first()));
    } else if (code == SASL_CONTINUE) {
      ScramClient.Challenge challenge = scram.challenge(data);
      ScramKeys keys = ScramKeys.derive("postgres", challenge.salt(), challenge.iterations());
      send(out -> FrontendMessages.saslResponse(out, scram.answer(challenge, keys).text()));
    }
  }

  /** Says who it is, and reads on to ReadyForQuery. */
  WireClient startup(ProtocolVersion version, Map<String, String> further) throws IOException {
    Map<String, String> all = new HashMap<>(Map.of("user", "postgres", "database", "test"));
    all.putAll(further);
    send(out -> FrontendMessages.startup(out, version, all));
    untilReady();
    return this;
  }

  void send(Consumer<ByteBuf> writer) throws IOException {
    ByteBuf out = Unpooled.buffer();
    writer.accept(out);
    sendBytes(Arrays.copyOf(out.array(), out.writerIndex()));
  }

  void sendBytes(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The next message, or none at the end of the stream. */
  Optional<Message> next() throws IOException {
    try {
      char type = (char) in.readByte();
      byte[] body = new byte[in.readInt() - 4];
      in.readFully(body);
      Message message = new Message(type, Bytes.of(body));
      note(message);
      return Optional.of(message);
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    }
  }

  private void note(Message message) {
    if (message.type() == 'K') {
      ByteBuffer body = ByteBuffer.wrap(message.content().toArray());
      int processId = body.getInt();
      byte[] secret = new byte[body.remaining()];
      body.get(secret);
      key = new CancelKey(processId, Bytes.of(secret));
    } else if (message.type() == 'S') {
      List<String> words =
          List.of(new String(message.content().toArray(), StandardCharsets.UTF_8).split("\0", -1));
      parameters.put(words.get(0), words.get(1));
    }
  }

  /** All up to the first of that type, or to the end. */
  List<Message> until(char type) throws IOException {
    List<Message> all = new ArrayList<>();
    Optional<Message> next = next();
    while (next.isPresent()) {
      all.add(next.get());
      if (next.get().type() == type) {
        return all;
      }
      next = next();
    }
    return all;
  }

  /** All up to ReadyForQuery. */
  List<Message> untilReady() throws IOException {
    List<Message> all = until('Z');
    if (all.isEmpty() || all.get(all.size() - 1).type() != 'Z') {
      throw new EOFException("closed after " + types(all) + errors(all));
    }
    return all;
  }

  /** Sends a Query and does not wait. */
  void sendQuery(String sql) {
    try {
      send(out -> FrontendMessages.query(out, sql));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@link #answer} gives for a Query. */
  String query(String sql) throws IOException {
    sendQuery(sql);
    return answer();
  }

  /** The first column of the last row, else the error's SQLSTATE, else "". */
  String answer() throws IOException {
    String found = "";
    for (Message message : untilReady()) {
      if (message.type() == 'D') {
        found = message.firstColumn();
      } else if (message.type() == 'E') {
        found = message.field('C');
      }
    }
    return found;
  }

  static String types(List<Message> messages) {
    StringBuilder types = new StringBuilder();
    messages.forEach(message -> types.append(message.type()));
    return types.toString();
  }

  /** The SQLSTATEs of all errors. */
  static List<String> errors(List<Message> messages) {
    return messages.stream()
        .filter(message -> message.type() == 'E')
        .map(message -> message.field('C'))
        .toList();
  }

  /** What the proxy reported last of that parameter, "" if nothing. */
  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** All that was reported, the latest values. */
  Map<String, String> parameters() {
    return Map.copyOf(parameters);
  }

  CancelKey key() {
    return key;
  }

  /** Asks for a cancel on a connection of its own; returns when the proxy has taken it. */
  static void cancel(int port, CancelKey key) throws IOException {
    try (WireClient canceller = open(port)) {
      canceller.send(
          out -> FrontendMessages.cancelRequest(out, key.processId(), key.secretKey().toArray()));
      canceller.next();
    }
  }

  int localPort() {
    return socket.getLocalPort();
  }

  int read(byte[] into) throws IOException {
    return in.read(into);
  }

  /** Sends no more, and still reads. */
  void finishOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Leaves without a word and without an end of the stream: RST. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
