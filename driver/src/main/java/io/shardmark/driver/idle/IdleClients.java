package io.shardmark.driver.idle;

import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A helper process: holds some of a run's idle sessions. Reads its orders from standard input and
 * reports on standard output; ends when the driver has. One thread does all, another only waits for
 * orders.
 */
public final class IdleClients {
  private static final int LOGINS_AT_ONCE = 64;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long servers may take to answer the last questions. */
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long servers may take to close sessions that have taken leave. */
  private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final IdleOrders orders;
  private final PrintStream reports;
  private final IdleSession.Login login;
  private final Selector selector;
  private final Map<PostgresEndpoint, InetSocketAddress> addresses = new HashMap<>();
  private final List<SelectionKey> probed = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private volatile boolean ordered;
  private volatile boolean closing;
  private int begun;
  private int opened;
  private int nextProbed;
  private long nextProbeNanos;
  private long lastLoginNanos;
  private long lastReportNanos;

  IdleClients(IdleOrders orders, PrintStream reports) throws IOException {
    this.orders = orders;
    this.reports = reports;
    login = IdleSession.Login.of(orders);
    selector = Selector.open();
    for (PostgresEndpoint endpoint : orders.endpoints()) {
      addresses.put(endpoint, new InetSocketAddress(endpoint.host(), endpoint.port()));
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Locale.setDefault(Locale.ROOT); // what it reports is read by the driver
    IdleClients clients =
        new IdleClients(IdleOrders.read(new DataInputStream(System.in)), System.out);
    Thread listener = new Thread(() -> clients.listen(System.in), "orders");
    listener.setDaemon(true);
    listener.start();
    // Ctrl-C on a terminal reaches this process too; the driver says when it is to end.
    Runtime.getRuntime().addShutdownHook(new Thread(IdleClients::outlast, "signal"));
    clients.run();
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Keeps the JVM from ending; the other threads go on meanwhile. */
  private static void outlast() {
    while (true) {
      LockSupport.park();
    }
  }

  /** Reads orders to the end of the pipe, which is that of the driver. */
  private void listen(InputStream pipe) {
    try {
      for (int order = pipe.read(); order >= 0; order = pipe.read()) {
        synchronized (this) {
          ordered = true;
          closing |= order == IdleOrders.CLOSE;
          notifyAll();
        }
        selector.wakeup();
      }
    } catch (IOException e) {
      // A pipe that cannot be read has nobody at its other end.
    }
    Runtime.getRuntime().halt(1);
  }

  private void run() throws IOException, InterruptedException {
    report(IdleReport.READY, orders.count());
    synchronized (this) {
      while (!ordered) {
        wait();
      }
    }
    try {
      hold();
      awaitAnswers();
      closeAll();
      report(IdleReport.CLOSED, opened);
    } catch (LoginRefused e) {
      report(IdleReport.REFUSED, String.valueOf(e.getMessage()));
    }
  }

  /** Opens the sessions and uses some of them, until they are to be closed. */
  private void hold() throws IOException, LoginRefused {
    lastLoginNanos = System.nanoTime();
    while (!closing) {
      while (begun < orders.count() && begun - opened < LOGINS_AT_ONCE) {
        begin();
      }
      serveAll(pauseMillis());
      long now = System.nanoTime();
      if (opened < orders.count()) {
        checkPatience(now);
      } else {
        probe(now);
      }
    }
  }

  /** A question that closing cuts off is not one without an answer. */
  private void awaitAnswers() throws IOException, LoginRefused {
    long deadline = System.nanoTime() + ANSWER_NANOS;
    while (System.nanoTime() - deadline < 0 && probed.stream().anyMatch(IdleClients::isAsked)) {
      serveAll(TimeUnit.NANOSECONDS.toMillis(REPORT_NANOS));
    }
  }

  private static boolean isAsked(SelectionKey key) {
    return key.isValid()
        && ((IdleSession) key.attachment()).state() == IdleSession.SessionState.ASKED;
  }

  private void serveAll(long longestPauseMillis) throws IOException, LoginRefused {
    selector.select(Math.max(1, longestPauseMillis));
    for (SelectionKey key : selector.selectedKeys()) {
      serve(key);
    }
    selector.selectedKeys().clear();
  }

  private long pauseMillis() {
    return opened < orders.count() || probed.isEmpty()
        ? TimeUnit.NANOSECONDS.toMillis(REPORT_NANOS)
        : TimeUnit.NANOSECONDS.toMillis(nextProbeNanos - System.nanoTime());
  }

  private void checkPatience(long now) throws LoginRefused {
    if (now - lastLoginNanos > TimeUnit.SECONDS.toNanos(orders.patienceSeconds())) {
      throw new LoginRefused(
          "no session could log in for %d s; does the server have file handles left?"
              .formatted(orders.patienceSeconds()));
    }
    if (now - lastReportNanos > REPORT_NANOS) {
      report(IdleReport.OPEN, opened);
      lastReportNanos = now;
    }
  }

  private void begin() throws IOException, LoginRefused {
    IdleSession session = new IdleSession(orders.first() + begun, login);
    PostgresEndpoint endpoint = orders.endpoint(session.number());
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    String from = "";
    try {
      if (!orders.sources().isEmpty()) {
        String source = orders.source(session.number());
        from = " from " + source;
        channel.bind(new InetSocketAddress(InetAddress.getByName(source), 0));
      }
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, session);
      channel.connect(addresses.get(endpoint));
      if (session.number() % IdleOrders.PROBED_EVERY == 0) {
        probed.add(key);
      }
      begun++;
    } catch (BindException e) {
      throw new LoginRefused(
          "no port is left%s to %s; name more addresses in idleSources".formatted(from, endpoint));
    } catch (IOException | RuntimeException e) {
      throw new LoginRefused("%s cannot be reached%s: %s".formatted(endpoint, from, e));
    }
  }

  private void serve(SelectionKey key) throws LoginRefused {
    IdleSession session = (IdleSession) key.attachment();
    SocketChannel channel = (SocketChannel) key.channel();
    boolean loggingIn = session.state() == IdleSession.SessionState.LOGGING_IN;
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        send(channel, session.startup());
        key.interestOps(SelectionKey.OP_READ);
        return;
      }
      if (!receive(channel, session)) {
        ended(key, "the server closed it");
      } else if (loggingIn && session.state() == IdleSession.SessionState.IDLE) {
        loggedIn();
      }
    } catch (IOException | LoginRefused e) {
      ended(key, String.valueOf(e.getMessage()));
    }
  }

  /** False at the end of the stream. */
  private boolean receive(SocketChannel channel, IdleSession session)
      throws IOException, LoginRefused {
    buffer.clear();
    if (channel.read(buffer) < 0) {
      return false;
    }
    boolean asked = session.state() == IdleSession.SessionState.ASKED;
    byte[] answer = session.received(buffer.flip());
    if (answer.length > 0) {
      send(channel, answer);
    }
    if (asked && session.state() == IdleSession.SessionState.IDLE) {
      if (session.answeredRight()) {
        report(IdleReport.ANSWERED, System.nanoTime() - session.askedNanos());
      } else {
        report(IdleReport.WRONG, session.number());
      }
    }
    return true;
  }

  private void loggedIn() {
    opened++;
    lastLoginNanos = System.nanoTime();
    if (opened == orders.count()) {
      report(IdleReport.OPEN, opened);
      nextProbeNanos = lastLoginNanos;
    }
  }

  /** One that is not in yet ends the whole: a run with fewer sessions is not what was asked. */
  private void ended(SelectionKey key, String reason) throws LoginRefused {
    IdleSession session = (IdleSession) key.attachment();
    close(key);
    if (session.state() == IdleSession.SessionState.LOGGING_IN) {
      throw new LoginRefused(
          "%s, session %d: %s"
              .formatted(orders.endpoint(session.number()), session.number() + 1, reason));
    }
    report(
        IdleReport.LOST,
        "session %d of %s: %s"
            .formatted(session.number() + 1, orders.endpoint(session.number()), reason));
  }

  /** A message of some hundred bytes always fits the buffer of a socket that waits for answers. */
  private static void send(SocketChannel channel, byte[] message) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    channel.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("the server does not read");
    }
  }

  /** Asks the session whose turn it is. All have their turn in one period. */
  private void probe(long now) {
    if (probed.isEmpty() || now - nextProbeNanos < 0) {
      return;
    }
    SelectionKey key = probed.get(nextProbed);
    nextProbed = (nextProbed + 1) % probed.size();
    nextProbeNanos += TimeUnit.SECONDS.toNanos(orders.probeSeconds()) / probed.size();
    IdleSession session = (IdleSession) key.attachment();
    if (!key.isValid()) {
      return; // it was lost
    }
    if (session.state() == IdleSession.SessionState.ASKED) {
      report(IdleReport.UNANSWERED, session.number());
      return;
    }
    try {
      send((SocketChannel) key.channel(), session.ask(System.nanoTime()));
    } catch (IOException e) {
      // The end of the stream comes too and says that it is lost.
    }
  }

  /**
   * Takes leave of all and waits until the servers have closed them: who closes first keeps the
   * port for a minute.
   */
  private void closeAll() throws IOException {
    int left = 0;
    for (SelectionKey key : selector.keys()) {
      IdleSession session = (IdleSession) key.attachment();
      if (!key.isValid()) {
        continue;
      }
      if (session.state() == IdleSession.SessionState.ASKED) {
        report(IdleReport.UNANSWERED, session.number());
      }
      try {
        send((SocketChannel) key.channel(), session.leave());
        left++;
      } catch (IOException | RuntimeException e) {
        close(key); // not connected yet, or just lost
      }
    }
    long deadline = System.nanoTime() + LEAVE_NANOS;
    while (left > 0 && System.nanoTime() - deadline < 0) {
      selector.select(TimeUnit.NANOSECONDS.toMillis(REPORT_NANOS));
      for (SelectionKey key : selector.selectedKeys()) {
        left -= hasEnded(key) ? 1 : 0;
      }
      selector.selectedKeys().clear();
    }
  }

  private boolean hasEnded(SelectionKey key) {
    try {
      buffer.clear();
      if (((SocketChannel) key.channel()).read(buffer) >= 0) {
        return false;
      }
    } catch (IOException e) {
      // that is an end too
    }
    close(key);
    return true;
  }

  private static void close(SelectionKey key) {
    key.cancel();
    try {
      key.channel().close();
    } catch (IOException e) {
      // its handle is gone all the same
    }
  }

  private void report(IdleReport kind, Object about) {
    reports.println(kind.line(about));
    reports.flush();
  }
}
