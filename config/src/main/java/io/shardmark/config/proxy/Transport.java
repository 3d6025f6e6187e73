package io.shardmark.config.proxy;

/** How sockets are driven. */
public enum Transport {
  /** The fastest that this machine can: io_uring, epoll, nio in this order. */
  AUTO,
  /** Linux io_uring. */
  IO_URING,
  /** Linux epoll. */
  EPOLL,
  /** The JDK's own. */
  NIO
}
