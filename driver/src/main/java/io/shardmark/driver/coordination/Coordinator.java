package io.shardmark.driver.coordination;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Driver 0's side of a group: lets the drivers join, starts them at one instant, passes on a stop,
 * and takes in their result files.
 *
 * <p>Before the start, whatever is wrong ends the whole group with one line. Afterwards a driver
 * that is lost is noted and the others go on: their load is real, and a broken connection, unlike a
 * dead process, can be mended by merging what the driver kept.
 */
final class Coordinator implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int CLOCK_ROUNDS = 25;

  /** During the run a clock is known by the pings of half a minute. */
  private static final int CLOCK_TICKS = 30;

  private static final long CLOCK_ROUNDS_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** From the message to the start: enough to make files and terminals. */
  private static final long START_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2000);

  /** How long a group that broke up is there for those who are on their way to it. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long STOP_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int ROUND_TRIPS_OF_LEAD = 10;

  private enum Phase {
    JOINING,
    PREPARING,
    STARTING,
    STARTED,
    /** There will be no run. */
    ABORTED
  }

  private final DriversConfig config;
  private final GroupTerms terms;
  private final DriverGroup.Voice voice;
  private final Entrance entrance;

  // All that follows, and the members, are guarded by this object.
  private final Roster roster;
  private final Members members = new Members();
  private Phase phase = Phase.JOINING;
  private long startNanos;
  private boolean stopping;
  private boolean closed;
  private String abortReason = "";
  private long lingerNanos;
  private final Set<Integer> heard = new HashSet<>();
  private @Nullable Path receiveInto;

  private Coordinator(
      DriversConfig config,
      GroupTerms terms,
      Roster roster,
      Entrance entrance,
      DriverGroup.Voice voice) {
    this.config = config;
    this.terms = terms;
    this.roster = roster;
    this.entrance = entrance;
    this.voice = voice;
  }

  /**
   * Listens where the drivers were told to come, and lets them join.
   *
   * @param roster who may
   * @param voice told what users should know
   * @throws ConfigException if this machine cannot listen there
   */
  static Coordinator open(
      DriversConfig config, GroupTerms terms, Roster roster, DriverGroup.Voice voice) {
    Entrance entrance = Entrance.open(config, voice);
    Coordinator coordinator = new Coordinator(config, terms, roster, entrance, voice);
    entrance.admit(coordinator.new Door());
    Entrance.daemon("drivers", coordinator::conduct);
    return coordinator;
  }

  /** What the entrance hands over. */
  private final class Door implements Entrance.Host {
    @Override
    public void serve(Link link, DriverIdentity identity) throws IOException {
      Coordinator.this.serve(link, identity);
    }

    @Override
    public void refuse(Link link, String reason) throws IOException {
      Coordinator.this.refuse(link, reason);
    }
  }

  /** Where the drivers' files go: a directory for each, named by its index. */
  synchronized void receiveInto(Path directory) {
    receiveInto = directory;
  }

  /** Talks with one driver to its end. */
  private void serve(Link link, DriverIdentity identity) throws IOException {
    Member member = new Member(identity, link);
    Optional<String> refusal = join(member);
    if (refusal.isPresent()) {
      refuse(link, refusal.get());
      return;
    }
    try {
      link.failAfter(Membership.LOST_AFTER_SECONDS, TimeUnit.SECONDS);
      new MemberService(this, member, link).run();
    } catch (IOException e) {
      lost(member, MemberService.reason(e));
    } finally {
      link.close();
      changed(member::markGone);
    }
  }

  private Optional<String> join(Member member) {
    synchronized (this) {
      heard.add(member.index());
      if (phase == Phase.ABORTED) {
        return Optional.of(abortReason);
      }
      if (phase != Phase.JOINING) {
        return Optional.of(member.name() + " comes too late, the drivers of this run are complete");
      }
      Optional<String> refusal = roster.join(member.identity());
      if (refusal.isPresent()) {
        return refusal.map(why -> member.name() + " " + why);
      }
      members.add(member);
      voice
          .info()
          .accept(
              "%s has joined: %d of %d".formatted(member.name(), members.size(), config.count()));
      notifyAll();
      return Optional.empty();
    }
  }

  /** Tells it why; while the group is gathering this is the end for all, as it cannot be whole. */
  private void refuse(Link link, String reason) throws IOException {
    link.send(new Message.Abort(reason));
    if (!abort(reason) && hasStarted()) {
      voice.info().accept(reason);
    }
  }

  /**
   * The thread {@code drivers}: one run from the first who joins to the start; then keeps watch.
   */
  private void conduct() {
    long deadline = System.nanoTime() + config.patience().toNanos();
    if (await(deadline, () -> roster.isComplete(), () -> roster.absent() + " did not join")) {
      String gap = gap();
      if (gap != null) {
        abort(gap);
      } else if (enter(Phase.JOINING, Phase.PREPARING)) {
        broadcast(new Message.Welcome(terms));
        deadline = System.nanoTime() + config.patience().toNanos();
        if (await(
                deadline,
                () -> all(Member::isReady),
                () -> members.names(m -> !m.isReady()) + " did not get ready")
            && measureClocks()) {
          start();
        }
      }
    }
    for (long ticks = 1; !isClosed(); ticks++) {
      tick();
      pause(TICK_NANOS);
      if (ticks % CLOCK_TICKS == 0) {
        renewClocks();
      }
    }
  }

  private void broadcast(Message message) {
    List<Member> all;
    synchronized (this) {
      all = members.all();
    }
    all.forEach(member -> member.send(message));
  }

  private synchronized @Nullable String gap() {
    return roster.gap().orElse(null);
  }

  private synchronized boolean enter(Phase from, Phase to) {
    if (phase != from) {
      return false;
    }
    phase = to;
    return true;
  }

  /** Waits for something that other threads bring about; false if the group is no more. */
  private boolean await(long deadline, BooleanSupplier done, Supplier<String> whatIsMissing) {
    while (true) {
      synchronized (this) {
        if (phase == Phase.ABORTED || closed) {
          return false;
        }
        if (done.getAsBoolean()) {
          return true;
        }
      }
      if (System.nanoTime() - deadline >= 0) {
        String missing;
        synchronized (this) {
          missing = whatIsMissing.get();
        }
        if (abort(
            "%s within %d s (driverWaitSecs)".formatted(missing, config.patience().toSeconds()))) {
          stayNoLonger();
        }
        return false;
      }
      tick();
      pause(TICK_NANOS);
    }
  }

  /** Asks all for their clocks, which also shows that they live; sends strangers away. */
  private void tick() {
    entrance.tick();
    List<Member> here;
    synchronized (this) {
      here = members.here();
    }
    here.forEach(member -> member.send(new Message.Ping(System.nanoTime())));
  }

  private synchronized void pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void renewClocks() {
    members.all().forEach(Member::renewClock);
  }

  private boolean measureClocks() {
    renewClocks();
    for (int round = 0; round < CLOCK_ROUNDS; round++) {
      tick();
      LockSupport.parkNanos(CLOCK_ROUNDS_NANOS / CLOCK_ROUNDS);
    }
    long deadline = System.nanoTime() + config.patience().toNanos();
    return await(
        deadline,
        () -> all(Member::isClockKnown),
        () -> members.names(member -> !member.isClockKnown()) + " did not answer");
  }

  private void start() {
    List<Member> all;
    synchronized (this) {
      if (phase != Phase.PREPARING) {
        return;
      }
      phase = Phase.STARTING;
      all = members.all();
      long slowest =
          all.stream().mapToLong(member -> member.fixClock().uncertaintyNanos()).max().orElse(0);
      startNanos = System.nanoTime() + START_LEAD_NANOS + 2 * ROUND_TRIPS_OF_LEAD * slowest;
      voice
          .info()
          .accept(
              "All %d drivers are ready and start in %.1f s, together to %.3f ms"
                  .formatted(all.size(), (startNanos - System.nanoTime()) / 1e9, slowest / 1e6));
    }
    for (Member member : all) {
      ClockOffset clock = member.clockAtStart();
      if (clock != null) {
        member.send(
            new Message.Start(
                new StartInstant(clock.toOther(startNanos), clock.uncertaintyNanos())));
      }
    }
    while (!isClosed() && System.nanoTime() - startNanos < 0) {
      pause(Math.max(1, startNanos - System.nanoTime()));
    }
    synchronized (this) {
      if (phase == Phase.STARTING) {
        phase = Phase.STARTED;
      }
    }
  }

  /** One driver was told to end: all do, at one instant. */
  void stopAll(Member member, String reason) {
    List<Member> here;
    long end;
    synchronized (this) {
      if (!hasStarted() || stopping) {
        here = List.of();
      } else {
        stopping = true;
        here = members.here();
      }
      end = System.nanoTime() + STOP_LEAD_NANOS;
    }
    if (!here.isEmpty()) {
      String line = member.name() + " " + reason;
      for (Member other : here) {
        ClockOffset clock = other.clockAtStart();
        if (clock != null) {
          other.send(new Message.Stop(clock.toOther(end), line));
        }
      }
    } else {
      abort(member.name() + " " + reason + " before the start");
    }
  }

  /** A driver is gone, or is as good as gone. */
  void lost(Member member, String reason) {
    boolean before;
    synchronized (this) {
      if (closed || !member.isHere() || member.isDone()) {
        return;
      }
      member.markLost(reason);
      before = !hasStarted();
      if (!before) {
        // Told before anyone can go on without it, and show an incomplete result unexplained.
        voice
            .error()
            .accept(
                "%s was lost: %s. The others go on; the result will be incomplete."
                    .formatted(member.name(), reason));
      }
      notifyAll();
    }
    member.disconnect();
    if (before) {
      abort(member.name() + " was lost before the start: " + reason);
    }
  }

  /**
   * Ends the group with one line to everyone.
   *
   * @return false if it is too late for that
   */
  boolean abort(String reason) {
    List<Member> all;
    synchronized (this) {
      if (hasStarted() || phase == Phase.ABORTED || closed) {
        return false;
      }
      phase = Phase.ABORTED;
      abortReason = reason;
      lingerNanos = LINGER_NANOS;
      all = members.all();
      notifyAll();
    }
    all.forEach(member -> member.send(new Message.Abort(reason)));
    return true;
  }

  /** Whoever is still missing has had its time. */
  private synchronized void stayNoLonger() {
    lingerNanos = 0;
  }

  /** By the clock, as the members see it, and not by when a thread of ours woke up. */
  private synchronized boolean hasStarted() {
    return phase == Phase.STARTED
        || (phase == Phase.STARTING && System.nanoTime() - startNanos >= 0);
  }

  private boolean all(Predicate<Member> test) {
    return members.allThat(test).size() == config.count();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Notes something of a member that somebody may be waiting for. */
  synchronized void changed(Runnable change) {
    change.run();
    notifyAll();
  }

  /** Notes something of a member that nobody waits for. */
  synchronized void noted(Runnable note) {
    note.run();
  }

  /** Where a member's files go. */
  synchronized Path directoryOf(Member member) throws IOException {
    Path parent = receiveInto;
    if (!hasStarted() || parent == null) {
      throw new ProtocolException("files before the run");
    }
    return parent.resolve(Integer.toString(member.index()));
  }

  /**
   * Waits until each driver has brought its files or is lost. Called when driver 0 itself has
   * ended.
   */
  Collected collect() {
    long since = System.nanoTime();
    long patience = config.patience().toNanos();
    while (true) {
      List<Member> late;
      synchronized (this) {
        List<Member> unfinished = members.unfinished();
        if (unfinished.isEmpty()) {
          return members.collected();
        }
        long now = System.nanoTime();
        late =
            unfinished.stream()
                .filter(
                    member ->
                        now - since >= patience && now - member.lastProgressNanos() >= patience)
                .toList();
      }
      late.forEach(
          member ->
              lost(
                  member,
                  "it sent no results for %d s (driverWaitSecs)"
                      .formatted(config.patience().toSeconds())));
      pause(TICK_NANOS);
    }
  }

  /**
   * Closes the port. Members that were told to end are given a moment to hear it; after a group
   * broke up, those who were on their way to it are told why.
   */
  @Override
  public void close() {
    long now = System.nanoTime();
    while (isAnyoneComing(now)) {
      pause(TICK_NANOS / 20);
    }
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    entrance.close();
    now = System.nanoTime();
    while (System.nanoTime() - now < 2 * TICK_NANOS && isAnyoneHere()) {
      pause(TICK_NANOS / 20);
    }
    synchronized (this) {
      members.all().forEach(Member::disconnect);
    }
  }

  private synchronized boolean isAnyoneComing(long sinceNanos) {
    return phase == Phase.ABORTED
        && heard.size() < config.count()
        && System.nanoTime() - sinceNanos < lingerNanos;
  }

  private synchronized boolean isAnyoneHere() {
    return !members.allThat(member -> !member.isGone()).isEmpty();
  }
}
