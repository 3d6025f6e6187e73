package io.shardmark.sql.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A connected Unix-domain socket with the methods of {@link Socket} that pgjdbc calls: the JDK has
 * such sockets as channels only. What is TCP's alone does nothing. One thread reads and writes at a
 * time; any may close.
 */
public final class UnixSocket extends Socket {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final InputStream input = new Input();
  private final OutputStream output;
  private volatile int timeoutMillis;

  /**
   * Connects.
   *
   * @param path the socket's file
   * @throws IOException if nobody listens there, or the path is too long for a socket
   */
  public UnixSocket(Path path) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
    output = Channels.newOutputStream(channel);
  }

  private final class Input extends InputStream {
    // Separate and outside the heap: a channel would copy to such a buffer anyway.
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (length == 0) {
        return 0;
      }
      buffer.clear().limit(Math.min(length, BUFFER_BYTES));
      int count = timeoutMillis == 0 ? channel.read(buffer) : readInTime();
      if (count > 0) {
        buffer.flip().get(bytes, offset, count);
      }
      return count;
    }

    /** Only where pgjdbc asks for it: while connecting, and about once a second in a COPY. */
    private int readInTime() throws IOException {
      channel.configureBlocking(false);
      try (Selector selector = Selector.open()) {
        channel.register(selector, SelectionKey.OP_READ);
        if (selector.select(timeoutMillis) == 0) {
          throw new SocketTimeoutException("nothing came in %d ms".formatted(timeoutMillis));
        }
        return channel.read(buffer);
      } finally {
        // The selector is closed: a channel that is registered cannot block.
        if (channel.isOpen()) {
          channel.configureBlocking(true);
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public InputStream getInputStream() {
    return input;
  }

  @Override
  public OutputStream getOutputStream() {
    return output;
  }

  @Override
  public void connect(SocketAddress address, int timeout) {
    // It is connected from the start.
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }

  @Override
  public synchronized void setSoTimeout(int millis) {
    timeoutMillis = millis;
  }

  @Override
  public synchronized int getSoTimeout() {
    return timeoutMillis;
  }

  @Override
  public void setTcpNoDelay(boolean on) {
    // nothing is held back
  }

  @Override
  public void setKeepAlive(boolean on) {
    // a server of this machine cannot vanish unnoticed
  }

  @Override
  public synchronized void setSendBufferSize(int size) throws SocketException {
    set(StandardSocketOptions.SO_SNDBUF, size);
  }

  @Override
  public synchronized int getSendBufferSize() throws SocketException {
    return get(StandardSocketOptions.SO_SNDBUF);
  }

  @Override
  public synchronized void setReceiveBufferSize(int size) throws SocketException {
    set(StandardSocketOptions.SO_RCVBUF, size);
  }

  @Override
  public synchronized int getReceiveBufferSize() throws SocketException {
    return get(StandardSocketOptions.SO_RCVBUF);
  }

  private void set(SocketOption<Integer> option, int value) throws SocketException {
    try {
      channel.setOption(option, value);
    } catch (IOException e) {
      throw asSocketException(e);
    }
  }

  private int get(SocketOption<Integer> option) throws SocketException {
    try {
      return channel.getOption(option);
    } catch (IOException e) {
      throw asSocketException(e);
    }
  }

  private static SocketException asSocketException(IOException cause) {
    SocketException exception = new SocketException(cause.getMessage());
    exception.initCause(cause);
    return exception;
  }
}
