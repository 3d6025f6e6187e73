package io.shardmark.driver.coordination;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One driver's place in a group, whether it coordinates or not. Its methods are for the thread of
 * the run, except {@link #requestStop}, which is for any.
 */
final class Membership implements AutoCloseable {
  /** Both sides speak once a second. */
  static final long LOST_AFTER_SECONDS = 20;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int CONNECT_MILLIS = 5000;

  /**
   * How long a signal waits for the answer of a group that is still there before it ends this
   * driver alone: an interval of its own cannot be merged with those of the others.
   */
  private static final long STOP_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The coordinator has time-outs of its own, which say more; ours is for one that hangs. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final DriversConfig config;
  private final Link link;

  // Guarded by this object.
  private @Nullable GroupTerms terms;
  private @Nullable StartInstant start;
  private @Nullable String ended;
  private @Nullable LongConsumer onStop;
  private boolean stopped;
  private boolean received;

  private Membership(DriversConfig config, Link link) {
    this.config = config;
    this.link = link;
  }

  /**
   * Goes to driver 0 and introduces itself, trying until it is there.
   *
   * @throws ConfigException if it is not there in time
   */
  static Membership join(DriversConfig config, DriverIdentity identity)
      throws InterruptedException {
    Link link = connect(config);
    Membership membership = new Membership(config, link);
    try {
      link.failAfter(LOST_AFTER_SECONDS, TimeUnit.SECONDS);
      link.introduce();
      link.send(new Message.Hello(identity));
    } catch (IOException e) {
      // The reader finds out, or finds the reason that the coordinator gave.
    }
    Thread reader = new Thread(membership::listen, "coordinator-link");
    reader.setDaemon(true);
    reader.start();
    return membership;
  }

  private static Link connect(DriversConfig config) throws InterruptedException {
    long deadline = System.nanoTime() + config.patience().toNanos();
    while (true) {
      try {
        Socket socket = new Socket();
        try {
          socket.connect(
              new InetSocketAddress(InetAddress.getByName(config.host()), config.port()),
              CONNECT_MILLIS);
          if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
            // On one machine TCP may connect a port to itself while nobody listens there yet.
            throw new IOException("nobody listens there");
          }
          return new Link(socket);
        } catch (IOException e) {
          socket.close();
          throw e;
        }
      } catch (IOException e) {
        if (System.nanoTime() - deadline >= 0) {
          throw new ConfigException(
              "driverCoordinator=%s: driver 0 is not there after %d s (driverWaitSecs): %s"
                  .formatted(config.coordinator(), config.patience().toSeconds(), e));
        }
      }
      LockSupport.parkNanos(RETRY_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** The thread {@code coordinator-link}. */
  private void listen() {
    try {
      while (true) {
        hear(link.receive(), System.nanoTime());
      }
    } catch (IOException e) {
      end("driver 0 (%s) was lost: %s".formatted(config.coordinator(), MemberService.reason(e)));
    } finally {
      link.close();
    }
  }

  private void hear(Message message, long nowNanos) throws IOException {
    switch (message.type()) {
      case PING -> link.send(new Message.Pong(((Message.Ping) message).sentNanos(), nowNanos));
      case WELCOME -> change(() -> terms = ((Message.Welcome) message).terms());
      case START -> change(() -> start = ((Message.Start) message).instant());
      case STOP -> stop(((Message.Stop) message).nanos());
      case ABORT -> {
        end(((Message.Abort) message).reason());
        stop(nowNanos); // if it was too late to be heard before the start
      }
      case RECEIVED -> change(() -> received = true);
      case HELLO, READY, PONG, STOP_REQUEST, FILE, CHUNK, DONE ->
          throw new ProtocolException(message.type() + " is not for a member");
    }
  }

  private synchronized void change(Runnable change) {
    change.run();
    notifyAll();
  }

  private void end(String reason) {
    change(
        () -> {
          if (ended == null) {
            ended = reason;
          }
        });
    link.close();
  }

  private synchronized void stop(long nanos) {
    if (stopped) {
      return;
    }
    stopped = true;
    if (onStop != null) {
      onStop.accept(nanos);
    }
    notifyAll();
  }

  /** Waits for all drivers to be there. */
  GroupTerms awaitTerms() throws InterruptedException {
    await(() -> terms != null, 2 * config.patience().toNanos() + SLACK_NANOS);
    synchronized (this) {
      return Objects.requireNonNull(terms);
    }
  }

  /**
   * Says that this driver can start, and waits until all can.
   *
   * @throws ConfigException if there will be no run
   */
  StartInstant awaitStart() throws InterruptedException {
    send(new Message.Ready());
    await(() -> start != null, 2 * config.patience().toNanos() + SLACK_NANOS);
    StartInstant instant;
    synchronized (this) {
      instant = Objects.requireNonNull(start);
    }
    long late = System.nanoTime() - instant.nanos();
    if (late >= 0) {
      throw refuse("the message to start came %d ms too late".formatted(late / 1_000_000));
    }
    return instant;
  }

  /**
   * Waits for the start.
   *
   * @throws ConfigException if a driver was lost meanwhile: there will be no run
   */
  void awaitInstant(StartInstant instant) throws InterruptedException {
    synchronized (this) {
      while (ended == null && System.nanoTime() - instant.nanos() < 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, instant.nanos() - System.nanoTime()));
      }
      if (ended != null) {
        throw new ConfigException(ended);
      }
    }
  }

  private void await(BooleanSupplier there, long patienceNanos) throws InterruptedException {
    long deadline = System.nanoTime() + patienceNanos;
    synchronized (this) {
      while (!there.getAsBoolean()) {
        if (ended != null) {
          throw new ConfigException(ended);
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new ConfigException(
              "driverCoordinator=%s: driver 0 does not answer".formatted(config.coordinator()));
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    }
  }

  /** Tells the group that this driver cannot take part. */
  ConfigException refuse(String reason) {
    send(new Message.Abort(reason));
    return new ConfigException(reason);
  }

  private void send(Message message) {
    try {
      link.send(message);
    } catch (IOException e) {
      link.close(); // the reader says what happened
    }
  }

  /**
   * What to do when the group stops.
   *
   * @param end takes the instant at which the interval ends
   */
  synchronized void onStop(LongConsumer end) {
    onStop = end;
  }

  /** True if the group ended the run before its time. */
  synchronized boolean isStopped() {
    return stopped;
  }

  /** This driver was told to end: asks the group to, and ends alone if there is no answer. */
  void requestStop(String reason) {
    send(new Message.StopRequest(reason));
    Thread alone = new Thread(this::stopAlone, "stop");
    alone.setDaemon(true);
    alone.start();
  }

  private void stopAlone() {
    long deadline = System.nanoTime() + STOP_PATIENCE_NANOS;
    synchronized (this) {
      while (!stopped && ended == null && System.nanoTime() - deadline < 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline - System.nanoTime()));
        } catch (InterruptedException e) {
          break;
        }
      }
    }
    stop(System.nanoTime());
  }

  /** Why the group is no more, for this driver; empty if it is. */
  synchronized String ended() {
    return ended == null ? "" : ended;
  }

  /**
   * Brings this driver's result files to driver 0.
   *
   * @return empty if they are there; otherwise why not
   * @throws IOException if a file cannot be read
   */
  String bring(Path directory) throws IOException, InterruptedException {
    FileSender.send(directory, link);
    return finish();
  }

  /** Says that this driver has nothing to bring, or nothing more. */
  String finish() throws InterruptedException {
    send(new Message.Done());
    synchronized (this) {
      while (!received && ended == null) {
        wait();
      }
      if (!received) {
        return ended();
      }
    }
    link.close(); // nothing more is to be said
    return "";
  }

  @Override
  public void close() {
    link.close();
  }
}
