package io.shardmark.proxy.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A link that can be cut: passes PostgreSQL's messages on between who connects and a port of this
 * machine, and shows them to a trap.
 */
public final class Relay implements AutoCloseable {

  private final String name;
  private final IntSupplier target;
  private final Trap trap;
  private final ServerSocket acceptor;
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition flowing = lock.newCondition();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicReference<@Nullable String> breaks = new AtomicReference<>();
  private volatile boolean cut;
  private volatile boolean swallowsCancels;
  private boolean stalled;

  /** To a port of this machine, with nothing to wait for. */
  public static Relay to(int port) throws IOException {
    return new Relay("to " + port, () -> port, new Trap());
  }

  Relay(String name, IntSupplier target, Trap trap) throws IOException {
    this.name = name;
    this.target = target;
    this.trap = trap;
    this.acceptor = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    start(this::accept, name + "-acceptor");
  }

  static void start(Runnable work, String threadName) {
    Thread thread = new Thread(work, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  String name() {
    return name;
  }

  Trap trap() {
    return trap;
  }

  public int port() {
    return acceptor.getLocalPort();
  }

  private void accept() {
    while (!acceptor.isClosed()) {
      try {
        connect(acceptor.accept());
      } catch (IOException e) {
        // Closed, or the other side is away: whoever connected sees the end of the stream.
      }
    }
  }

  private void connect(Socket from) throws IOException {
    if (cut) {
      refused.incrementAndGet();
      from.close();
      return;
    }
    Socket to = new Socket();
    try {
      to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.getAsInt()));
      from.setTcpNoDelay(true);
      to.setTcpNoDelay(true);
    } catch (IOException e) {
      from.close();
      to.close();
      throw e;
    }
    RelayedConnection connection = new RelayedConnection(this, from, to);
    connections.add(connection);
    connection.start();
    if (cut) {
      connection.close(); // cut meanwhile, when it was not yet among those that are
    }
  }

  void ended(RelayedConnection connection) {
    connections.remove(connection);
  }

  /** Ends every connection and lets no new one through. */
  void cut() {
    refused.set(0);
    cut = true;
    connections.forEach(RelayedConnection::close);
  }

  /** Ends every connection with RST, which the proxy's next write finds; new ones may come. */
  public void reset() throws IOException {
    for (RelayedConnection connection : connections) {
      connection.reset();
    }
  }

  /** How many connections have been asked for since it was cut. */
  int refusedCount() {
    return refused.get();
  }

  void restore() {
    cut = false;
  }

  /** From now on every byte is kept, on links that stay open: a black hole. */
  public void stall() {
    setStalled(true);
  }

  /** The same as soon as a decided commit is to be told to those that have prepared. */
  public CompletableFuture<Void> stallAtCommitPrepared() {
    return trap.arm(
            CommitPoint.COMMIT_PREPARED_UNDELIVERED,
            held -> {
              stall();
              return Trap.Verdict.PASS;
            })
        .thenAccept(held -> {});
  }

  /** Ends the connection on which a decided commit is to reach one that has prepared. */
  public CompletableFuture<Void> loseCommitPrepared() {
    return trap.arm(CommitPoint.COMMIT_PREPARED_UNDELIVERED, held -> Trap.Verdict.DROP)
        .thenAccept(held -> {});
  }

  /** Does something with the text of the next decision, before that goes on its way. */
  public CompletableFuture<Void> beforeDecision(Consumer<String> doing) {
    return trap.arm(
            CommitPoint.DECISION_UNDELIVERED,
            held -> {
              doing.accept(held.text());
              return Trap.Verdict.PASS;
            })
        .thenAccept(held -> {});
  }

  /** Whether cancel requests are kept for good, on connections that stay open. */
  boolean swallowsCancels() {
    return swallowsCancels;
  }

  void swallowCancels(boolean now) {
    swallowsCancels = now;
  }

  /** The next statement of a proxy that begins with this will fail: it will not be that word. */
  public void breakNext(String word) {
    breaks.set(word);
  }

  /** Whether one is still to be broken. */
  public boolean breaksNext() {
    return breaks.get() != null;
  }

  /** What the target gets for a message with this body. */
  byte[] passed(int tag, byte[] body) {
    String word = breaks.get();
    if (word == null) {
      return body;
    }
    int start = tag == 'P' ? 1 : 0; // behind no name
    boolean isIt =
        (tag == 'P' || tag == 'Q')
            && new String(body, StandardCharsets.ISO_8859_1).startsWith(word, start);
    if (!isIt || !breaks.compareAndSet(word, null)) {
      return body;
    }
    byte[] broken = body.clone();
    broken[start] = 'X';
    return broken;
  }

  /** What was kept goes on its way. */
  public void flow() {
    setStalled(false);
  }

  private void setStalled(boolean now) {
    lock.lock();
    try {
      stalled = now;
      flowing.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits while the link is stalled. */
  void awaitFlow() {
    lock.lock();
    try {
      while (stalled) {
        flowing.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends these bytes to the target on every connection, between the client's own. */
  void inject(byte[] bytes) throws IOException {
    for (RelayedConnection connection : connections) {
      connection.inject(bytes);
    }
  }

  @Override
  public void close() {
    try {
      acceptor.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
    flow();
  }
}
