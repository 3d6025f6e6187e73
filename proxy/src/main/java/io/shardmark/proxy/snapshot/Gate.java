package io.shardmark.proxy.snapshot;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Keeps transactions over several shards from being prepared while snapshots are taken, as an
 * immutable value: events in, the next state and what to do out.
 *
 * <p>Such a transaction is visible on one of its shards and not yet on another only while one of
 * them has it prepared, and then it holds a lock there. Who has got the other mode of that lock on
 * all shards that he reads finds no transaction in that condition, and none comes into it: what he
 * sees there of transactions over several of them is one state, whenever he looks, until he gives
 * the lock up.
 *
 * <p>The lock is given up by force {@link #FORCED_OPEN_MILLIS} after it was got, so that nobody
 * waits for a process that is held up. So what was taken counts only if that is known sooner than
 * {@link #LEASE_NANOS} after the lock was asked for, by one clock.
 *
 * <p>Two who want locks of several shards could wait for each other. So this waits for a lock no
 * longer than {@link #LOCK_MILLIS}, gives all up, and tries again after a pause.
 *
 * @param waiting who has come since, for the next closing
 * @param turns who takes snapshots now, or will when it is closed
 * @param owing where the lock has been asked for
 * @param closed where it is held
 * @param sinceNanos when it was asked for; in a pause, when that ends
 * @param failures closings in a row that did not get every lock
 */
public record Gate(
    GatePhase phase,
    Map<Long, GateTurn> waiting,
    Map<Long, GateTurn> turns,
    ShardSet owing,
    ShardSet closed,
    long sinceNanos,
    int failures) {
  /** How long a server lets the gate wait for a lock. */
  public static final int LOCK_MILLIS = 50;

  /** After so long a server opens the gate of a process that does nothing. */
  public static final int FORCED_OPEN_MILLIS = 2_000;

  /** How long it stays closed at most; much shorter than what a server waits. */
  public static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A server that has not answered by then does not count as there. */
  static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long anybody waits for snapshots. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int MOST_DOUBLINGS = 7;

  /** Nobody wants snapshots. */
  public static final Gate OPEN =
      new Gate(GatePhase.OPEN, Map.of(), Map.of(), ShardSet.EMPTY, ShardSet.EMPTY, 0, 0);

  /** How far it is. */
  public enum GatePhase {
    OPEN,
    /** The lock has been asked for on the shards of all {@link Gate#turns}. */
    CLOSING,
    /** The lock is held on them, and snapshots are being taken. */
    CLOSED,
    /** Locks were not to be had: transactions go on for a while. */
    PAUSED
  }

  /**
   * Somebody who wants snapshots.
   *
   * @param sinceNanos when it came
   */
  public record GateTurn(ShardSet shards, long sinceNanos) {}

  /** Why somebody gets none. */
  public enum Reason {
    /** A transaction stays prepared there. */
    BUSY,
    /** The shard cannot be reached. */
    LOST
  }

  /** What is to be done. */
  public sealed interface GateEffect {
    /** Ask that shard for the lock. */
    record Close(int shard) implements GateEffect {}

    /** Give the lock of that shard up, or what is left of the try. */
    record Open(int shard) implements GateEffect {}

    /** Close the connection to that shard, if it has been opened. */
    record Drop(int shard) implements GateEffect {}

    /** Snapshots may be taken now. */
    record Begin(long turn) implements GateEffect {}

    /** There will be none. */
    record RefuseGate(long turn, Reason reason, ShardSet shards) implements GateEffect {}

    /** Call {@link Gate#time} then; one call for the latest of these is enough. */
    record Wake(long atNanos) implements GateEffect {}
  }

  /** The next state, and what to do in this order. */
  public record GateChange(Gate next, List<GateEffect> effects) {
    public GateChange {
      effects = List.copyOf(effects);
    }

    private GateChange after(List<GateEffect> first) {
      List<GateEffect> all = new ArrayList<>(first);
      all.addAll(effects);
      return new GateChange(next, all);
    }
  }

  public Gate {
    waiting = Collections.unmodifiableMap(new TreeMap<>(waiting));
    turns = Collections.unmodifiableMap(new TreeMap<>(turns));
  }

  // ---- events ----

  /** Somebody wants snapshots of these shards. */
  public GateChange enter(long turn, ShardSet shards, long nowNanos) {
    Gate with = withWaiting(plus(waiting, turn, new GateTurn(shards, nowNanos)));
    return phase == GatePhase.OPEN ? with.close(nowNanos, new ArrayList<>()) : with.change();
  }

  /**
   * A shard has given the lock, or not in time.
   *
   * @throws IllegalStateException if it was not asked
   */
  public GateChange answered(int shard, boolean granted, long nowNanos) {
    if (phase != GatePhase.CLOSING || !owing.contains(shard)) {
      throw new IllegalStateException("answer of shard " + shard + " in " + this);
    }
    Gate next = withLocks(owing.without(shard), granted ? closed.with(shard) : closed);
    List<GateEffect> effects = granted ? List.of() : List.of(new GateEffect.Open(shard));
    return next.settleIfAnswered(nowNanos).after(effects);
  }

  /** The connection to that shard is gone, and the lock with it; allowed at any time. */
  public GateChange lost(int shard, long nowNanos) {
    List<GateEffect> effects = new ArrayList<>();
    Map<Long, GateTurn> others = new TreeMap<>(turns);
    turns.forEach(
        (turn, one) -> {
          if (one.shards().contains(shard)) {
            others.remove(turn);
            if (phase == GatePhase.CLOSING) {
              effects.add(new GateEffect.RefuseGate(turn, Reason.LOST, ShardSet.EMPTY.with(shard)));
            }
          }
        });
    Gate next = withTurns(others).withLocks(owing.without(shard), closed.without(shard));
    return switch (phase) {
      case OPEN, PAUSED -> next.change();
      case CLOSING -> next.settleIfAnswered(nowNanos).after(effects);
      case CLOSED -> others.isEmpty() ? next.reopen(nowNanos) : next.change();
    };
  }

  /** Whether all that this one has taken by now counts. */
  public boolean isGood(long turn, long nowNanos) {
    return phase == GatePhase.CLOSED
        && turns.containsKey(turn)
        && nowNanos - sinceNanos < LEASE_NANOS;
  }

  /** Somebody has taken all snapshots, or wants none any more. */
  public GateChange leave(long turn, long nowNanos) {
    Gate next = withWaiting(minus(waiting, turn)).withTurns(minus(turns, turn));
    return phase == GatePhase.CLOSED && next.turns.isEmpty()
        ? next.reopen(nowNanos)
        : next.change();
  }

  /** Time has passed. */
  public GateChange time(long nowNanos) {
    return switch (phase) {
      case OPEN -> change();
      case CLOSING -> nowNanos - sinceNanos < ANSWER_NANOS ? change() : dropOwing(nowNanos);
      case CLOSED ->
          nowNanos - sinceNanos < LEASE_NANOS ? change() : withTurns(Map.of()).reopen(nowNanos);
      case PAUSED -> nowNanos - sinceNanos < 0 ? change() : close(nowNanos, new ArrayList<>());
    };
  }

  // ---- what follows ----

  private GateChange dropOwing(long nowNanos) {
    List<GateEffect> effects = new ArrayList<>();
    effects.add(new GateEffect.Wake(nowNanos + ANSWER_NANOS));
    owing.indexes().forEach(shard -> effects.add(new GateEffect.Drop(shard)));
    return new GateChange(this, effects);
  }

  private GateChange close(long nowNanos, List<GateEffect> effects) {
    ShardSet wanted = union(waiting);
    wanted.indexes().forEach(shard -> effects.add(new GateEffect.Close(shard)));
    effects.add(new GateEffect.Wake(nowNanos + ANSWER_NANOS));
    return new GateChange(
        new Gate(GatePhase.CLOSING, Map.of(), waiting, wanted, ShardSet.EMPTY, nowNanos, failures),
        effects);
  }

  private GateChange settleIfAnswered(long nowNanos) {
    return owing.isEmpty() ? settle(nowNanos) : change();
  }

  /** All have answered: who has all locks begins, the others wait on. */
  private GateChange settle(long nowNanos) {
    List<GateEffect> effects = new ArrayList<>();
    Map<Long, GateTurn> ready = new TreeMap<>();
    Map<Long, GateTurn> later = new TreeMap<>(waiting);
    turns.forEach(
        (turn, one) -> {
          ShardSet missing = one.shards().minus(closed);
          if (missing.isEmpty()) {
            ready.put(turn, one);
          } else if (nowNanos - one.sinceNanos() < PATIENCE_NANOS) {
            later.put(turn, one);
          } else {
            effects.add(new GateEffect.RefuseGate(turn, Reason.BUSY, missing));
          }
        });
    boolean got = union(turns).minus(closed).isEmpty();
    Gate next =
        new Gate(GatePhase.CLOSED, later, ready, owing, closed, sinceNanos, got ? 0 : failures + 1);
    if (ready.isEmpty()) {
      return next.reopen(nowNanos).after(effects);
    }
    ready.keySet().forEach(turn -> effects.add(new GateEffect.Begin(turn)));
    effects.add(new GateEffect.Wake(sinceNanos + LEASE_NANOS));
    return new GateChange(next, effects);
  }

  /** Gives the locks up, and goes on with those who wait. */
  private GateChange reopen(long nowNanos) {
    List<GateEffect> effects = new ArrayList<>();
    closed.indexes().forEach(shard -> effects.add(new GateEffect.Open(shard)));
    Gate open =
        new Gate(GatePhase.OPEN, waiting, Map.of(), ShardSet.EMPTY, ShardSet.EMPTY, 0, failures);
    if (waiting.isEmpty()) {
      return new GateChange(open, effects);
    }
    if (failures == 0) {
      return open.close(nowNanos, effects);
    }
    long end = nowNanos + (FIRST_PAUSE_NANOS << Math.min(failures, MOST_DOUBLINGS));
    effects.add(new GateEffect.Wake(end));
    return new GateChange(
        new Gate(
            GatePhase.PAUSED, waiting, Map.of(), ShardSet.EMPTY, ShardSet.EMPTY, end, failures),
        effects);
  }

  private GateChange change() {
    return new GateChange(this, List.of());
  }

  // ---- the same with one thing changed ----

  private Gate withWaiting(Map<Long, GateTurn> now) {
    return new Gate(phase, now, turns, owing, closed, sinceNanos, failures);
  }

  private Gate withTurns(Map<Long, GateTurn> now) {
    return new Gate(phase, waiting, now, owing, closed, sinceNanos, failures);
  }

  private Gate withLocks(ShardSet nowOwing, ShardSet nowClosed) {
    return new Gate(phase, waiting, turns, nowOwing, nowClosed, sinceNanos, failures);
  }

  private static Map<Long, GateTurn> plus(Map<Long, GateTurn> turns, long turn, GateTurn one) {
    Map<Long, GateTurn> more = new TreeMap<>(turns);
    more.put(turn, one);
    return more;
  }

  private static Map<Long, GateTurn> minus(Map<Long, GateTurn> turns, long turn) {
    Map<Long, GateTurn> fewer = new TreeMap<>(turns);
    fewer.remove(turn);
    return fewer;
  }

  private static ShardSet union(Map<Long, GateTurn> turns) {
    ShardSet all = ShardSet.EMPTY;
    for (GateTurn turn : turns.values()) {
      all = all.union(turn.shards());
    }
    return all;
  }
}
