package io.shardmark.driver.coordination;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** Hears one driver until it leaves. Runs on the thread of its connection. */
final class MemberService {
  private final Coordinator coordinator;
  private final Member member;
  private final Link link;
  private @Nullable ReceivedFiles files;

  MemberService(Coordinator coordinator, Member member, Link link) {
    this.coordinator = coordinator;
    this.member = member;
    this.link = link;
  }

  /**
   * Returns never.
   *
   * @throws IOException when it leaves, properly or not
   */
  void run() throws IOException {
    try {
      while (true) {
        Message message = link.receive();
        hear(message, System.nanoTime());
      }
    } finally {
      if (files != null) {
        files.close();
      }
    }
  }

  private void hear(Message message, long nowNanos) throws IOException {
    switch (message.type()) {
      case PONG -> coordinator.noted(() -> member.pong((Message.Pong) message, nowNanos));
      case READY -> coordinator.changed(member::markReady);
      case STOP_REQUEST -> coordinator.stopAll(member, ((Message.StopRequest) message).reason());
      case ABORT -> coordinator.abort(member.name() + ": " + ((Message.Abort) message).reason());
      case FILE -> {
        openFiles().begin((Message.FileBegin) message);
        coordinator.noted(member::markProgress);
      }
      case CHUNK -> {
        openFiles().append(((Message.Chunk) message).bytes());
        coordinator.noted(member::markProgress);
      }
      case DONE -> {
        ReceivedFiles received = files;
        if (received != null) {
          received.end();
        }
        coordinator.changed(() -> member.markDone(received == null ? null : received.directory()));
        link.send(new Message.Received());
      }
      case HELLO, WELCOME, PING, START, STOP, RECEIVED ->
          throw new ProtocolException(message.type() + " is not for a coordinator");
    }
  }

  private ReceivedFiles openFiles() throws IOException {
    ReceivedFiles open = files;
    if (open == null) {
      open = new ReceivedFiles(coordinator.directoryOf(member));
      files = open;
    }
    return open;
  }

  /** Why a connection ended, for people. */
  static String reason(IOException fault) {
    if (fault instanceof EOFException) {
      return "the connection ended";
    }
    if (fault instanceof SocketTimeoutException) {
      return "nothing came for too long";
    }
    return fault instanceof ProtocolException
        ? String.valueOf(fault.getMessage())
        : "the connection broke: " + fault.getMessage();
  }
}
