package io.shardmark.proxy.server;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Transport;

/** How this process drives its sockets. */
enum SocketTransport {
  IO_URING(IoUringServerSocketChannel.class, IoUringSocketChannel.class),
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
  NIO(NioServerSocketChannel.class, NioSocketChannel.class);

  /**
   * A poll that stays armed tells each change of a socket once, and Netty 4.2.18 forgets one that
   * comes while a read is under way: of a client that resets its connection just behind its last
   * bytes nothing is ever heard again. A poll for each read finds what is there. Read when Netty's
   * io_uring classes are loaded.
   */
  private static final String MULTISHOT_POLL = "io.netty.iouring.pollAddMultishotEnabled";

  private final Class<? extends ServerSocketChannel> acceptor;
  private final Class<? extends SocketChannel> socket;

  SocketTransport(
      Class<? extends ServerSocketChannel> acceptor, Class<? extends SocketChannel> socket) {
    this.acceptor = acceptor;
    this.socket = socket;
  }

  /**
   * What the configuration asks for, or the fastest there is.
   *
   * @throws ConfigException if this machine cannot do it
   */
  static SocketTransport choose(Transport wanted) {
    if (System.getProperty(MULTISHOT_POLL) == null) {
      System.setProperty(MULTISHOT_POLL, "false");
    }
    return switch (wanted) {
      case AUTO -> IoUring.isAvailable() ? IO_URING : Epoll.isAvailable() ? EPOLL : NIO;
      case IO_URING -> require(IO_URING, IoUring.isAvailable(), IoUring::unavailabilityCause);
      case EPOLL -> require(EPOLL, Epoll.isAvailable(), Epoll::unavailabilityCause);
      case NIO -> NIO;
    };
  }

  private static SocketTransport require(
      SocketTransport transport, boolean available, java.util.function.Supplier<Throwable> reason) {
    if (!available) {
      throw new ConfigException(
          "transport: "
              + transport.name().toLowerCase(java.util.Locale.ROOT)
              + " is not available here: "
              + reason.get().getMessage());
    }
    return transport;
  }

  IoHandlerFactory handlers() {
    return switch (this) {
      case IO_URING -> IoUringIoHandler.newFactory();
      case EPOLL -> EpollIoHandler.newFactory();
      case NIO -> NioIoHandler.newFactory();
    };
  }

  /** Whether several sockets can listen on one port, each with its own loop. */
  boolean sharesPorts() {
    return this != NIO;
  }

  Class<? extends ServerSocketChannel> acceptor() {
    return acceptor;
  }

  Class<? extends SocketChannel> socket() {
    return socket;
  }
}
