package io.shardmark.proxy.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;

/** How this process drives its sockets. */
enum SocketTransport {
  IO_URING(
      IoUringServerSocketChannel.class,
      IoUringSocketChannel.class,
      IoUringServerDomainSocketChannel.class,
      IoUringDomainSocketChannel.class),
  EPOLL(
      EpollServerSocketChannel.class,
      EpollSocketChannel.class,
      EpollServerDomainSocketChannel.class,
      EpollDomainSocketChannel.class),
  NIO(
      NioServerSocketChannel.class,
      NioSocketChannel.class,
      NioServerDomainSocketChannel.class,
      NioDomainSocketChannel.class);

  /**
   * A poll that stays armed reports each change of a socket once, and Netty 4.2.18 forgets one that
   * comes while a read is under way: of a client that resets its connection just after its last
   * bytes nothing is ever heard again. A poll for each read finds what is there. Read when Netty's
   * io_uring classes are loaded.
   */
  private static final String MULTISHOT_POLL = "io.netty.iouring.pollAddMultishotEnabled";

  /**
   * A receive that stays armed is cancelled when its connection is not to be read for a while. With
   * Netty 4.2.18 a wish to read again that comes between the cancel and its end can be lost: a
   * server connection whose client reads slowly is never read again. And what the kernel has taken
   * before the cancel still comes, megabytes for who had no room for more. One receive for each
   * read needs no cancel; its price, at most 3 % of the processor time of short queries, was not to
   * be distinguished from the noise. Read when Netty's io_uring classes are loaded.
   */
  private static final String MULTISHOT_RECEIVE = "io.netty.iouring.recvMultiShotEnabled";

  /** The ring of buffers that all sockets of a loop read into; a name of our own choice. */
  private static final short BUFFER_GROUP = 1;

  /** As large as a read is worth while: with less, large results cost more reads. */
  private static final int BUFFER_BYTES = 8 * 1024;

  /** Buffers of a loop to begin with, and at most; more are added when a burst has used them up. */
  private static final short FIRST_BUFFERS = 64;

  private static final short MOST_BUFFERS = 512;

  private final Class<? extends ServerChannel> acceptor;
  private final Class<? extends Channel> socket;
  private final Class<? extends ServerChannel> unixAcceptor;
  private final Class<? extends Channel> unixSocket;

  SocketTransport(
      Class<? extends ServerChannel> acceptor,
      Class<? extends Channel> socket,
      Class<? extends ServerChannel> unixAcceptor,
      Class<? extends Channel> unixSocket) {
    this.acceptor = acceptor;
    this.socket = socket;
    this.unixAcceptor = unixAcceptor;
    this.unixSocket = unixSocket;
  }

  /**
   * What the configuration asks for, or the fastest there is.
   *
   * @throws ConfigException if this machine cannot do it
   */
  static SocketTransport choose(Transport wanted) {
    for (String property : List.of(MULTISHOT_POLL, MULTISHOT_RECEIVE)) {
      if (System.getProperty(property) == null) {
        System.setProperty(property, "false");
      }
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

  /**
   * @param busyPoll how long a loop looks for more work before it sleeps
   */
  IoHandlerFactory handlers(Duration busyPoll) {
    IoHandlerFactory factory =
        switch (this) {
          case IO_URING -> IoUringIoHandler.newFactory(rings());
          case EPOLL -> EpollIoHandler.newFactory();
          case NIO -> NioIoHandler.newFactory();
        };
    return this == IO_URING || !busyPoll.isZero()
        ? executor -> new WaitingIoHandler(factory.newHandler(executor), busyPoll)
        : factory;
  }

  /**
   * With a ring of buffers a socket needs no poll before a read: the kernel takes a buffer when
   * there is something to put into it. So idle sockets hold none. Used whole, not in parts
   * (incremental): that is the older and better tried way.
   */
  private static IoUringIoHandlerConfig rings() {
    IoUringIoHandlerConfig config = new IoUringIoHandlerConfig();
    if (hasBufferRing()) {
      config.setBufferRingConfig(
          IoUringBufferRingConfig.builder()
              .bufferGroupId(BUFFER_GROUP)
              .bufferRingSize(MOST_BUFFERS)
              .batchSize(FIRST_BUFFERS)
              .allocator(new IoUringFixedBufferRingAllocator(BUFFER_BYTES))
              .build());
    }
    return config;
  }

  private static boolean hasBufferRing() {
    return IoUring.isRegisterBufferRingSupported();
  }

  /** Has sockets accepted at that address, and lets them read as this transport does best. */
  void prepare(ServerBootstrap bootstrap, SocketAddress address) {
    if (address instanceof InetSocketAddress) {
      bootstrap
          .channel(acceptor)
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    } else {
      bootstrap.channel(unixAcceptor);
    }
    if (this == IO_URING && hasBufferRing()) {
      bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP);
    }
  }

  /** Has a socket connected to that address, and lets it read as this transport does best. */
  void prepare(Bootstrap bootstrap, SocketAddress address) {
    if (address instanceof InetSocketAddress) {
      bootstrap
          .channel(socket)
          .option(ChannelOption.TCP_NODELAY, true)
          .option(ChannelOption.SO_KEEPALIVE, true);
    } else {
      bootstrap.channel(unixSocket);
    }
    if (this == IO_URING && hasBufferRing()) {
      bootstrap.option(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP);
    }
  }

  /** An address as the channels of this transport take it. */
  SocketAddress own(SocketAddress address) {
    return this != NIO && address instanceof UnixDomainSocketAddress unixAddress
        ? new DomainSocketAddress(unixAddress.getPath().toFile())
        : address;
  }

  /** Whether several sockets can listen on one port, each with its own loop. */
  boolean sharesPorts() {
    return this != NIO;
  }
}
