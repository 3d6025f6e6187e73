package io.shardmark.proxy.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** A client that says and reads just what it is told to. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;

  /** A message of the proxy, its body read as UTF-8. */
  record Message(char type, String body) {}

  private RawClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** Logged in. */
  static RawClient connect(RunningProxy proxy) throws IOException {
    RawClient client = new RawClient(new Socket(InetAddress.getLoopbackAddress(), proxy.port()));
    client.send(
        out ->
            FrontendMessages.startup(
                out, ProtocolVersion.V3_0, Map.of("user", "postgres", "database", "test")));
    client.readTo('Z');
    return client;
  }

  void send(Consumer<ByteBuf> messages) throws IOException {
    ByteBuf out = Unpooled.buffer();
    messages.accept(out);
    socket.getOutputStream().write(ByteBufUtil.getBytes(out));
    socket.getOutputStream().flush();
  }

  Message read() throws IOException {
    char type = (char) in.readByte();
    byte[] body = new byte[in.readInt() - Integer.BYTES];
    in.readFully(body);
    return new Message(type, new String(body, StandardCharsets.UTF_8));
  }

  /** Reads up to a message of that type; how many rows came before it. */
  int readTo(char type) throws IOException {
    int rows = 0;
    for (Message message = read(); message.type() != type; message = read()) {
      rows += message.type() == 'D' ? 1 : 0;
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
