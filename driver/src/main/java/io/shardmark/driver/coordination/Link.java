package io.shardmark.driver.coordination;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * One connection between two drivers: frames of a type, a length and a body. One thread receives;
 * any may send.
 */
final class Link implements Closeable {
  /** What a connection begins with, before the first frame: no other protocol does. */
  private static final long MAGIC = 0x53484d4b_44525652L; // "SHMKDRVR"

  /** Raised whenever drivers of two versions could misunderstand each other. */
  static final int PROTOCOL_VERSION = 1;

  private static final int BUFFER_BYTES = 16 << 10;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  Link(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** Sends what a connection begins with. */
  void introduce() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream preamble = new DataOutputStream(bytes);
    preamble.writeLong(MAGIC);
    preamble.writeInt(PROTOCOL_VERSION);
    out.write(bytes.toByteArray());
  }

  /**
   * Reads what a connection begins with.
   *
   * @return the other side's protocol version
   * @throws ProtocolException if it is no driver
   */
  int awaitIntroduction() throws IOException {
    // Byte by byte: a stranger is known by its first wrong byte, and need not send all eight.
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      if (in.readByte() != (byte) (MAGIC >>> shift)) {
        throw new ProtocolException("what it sent is not from a driver");
      }
    }
    return in.readInt();
  }

  /**
   * @param time without a byte after which {@link #receive} fails
   */
  void failAfter(long time, TimeUnit unit) throws IOException {
    socket.setSoTimeout(Math.toIntExact(unit.toMillis(time)));
  }

  void send(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frame = new DataOutputStream(bytes);
    frame.writeByte(message.type().code());
    frame.writeInt(0);
    message.write(frame);
    int length = bytes.size() - Byte.BYTES - Integer.BYTES;
    message.type().checkLength(length);
    byte[] whole = bytes.toByteArray();
    for (int i = 0; i < Integer.BYTES; i++) {
      whole[Byte.BYTES + i] = (byte) (length >>> (Integer.SIZE - Byte.SIZE * (i + 1)));
    }
    // In one call, so that frames of two threads never mix.
    synchronized (out) {
      out.write(whole);
    }
  }

  /** Waits for the next message. */
  Message receive() throws IOException {
    MessageType type = MessageType.of(in.readByte());
    int length = in.readInt();
    type.checkLength(length);
    byte[] body = new byte[length];
    in.readFully(body);
    return type.decode(body);
  }

  /** The other side's address and port. */
  String peer() {
    String address = String.valueOf(socket.getRemoteSocketAddress());
    return address.startsWith("/") ? address.substring(1) : address;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done with it.
    }
  }
}
