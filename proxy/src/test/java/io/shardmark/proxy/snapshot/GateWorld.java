package io.shardmark.proxy.snapshot;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Two transactions over several shards, the gates of two proxies with one reader each, the servers'
 * locks, and a clock: one state of all of them, and what can happen next.
 */
final class GateWorld {
  /** What may be wrong with it, so that the model can be seen to fail. */
  enum Flaw {
    NONE,
    /** Transactions are prepared without the lock. */
    PREPARED_WITHOUT_LOCK,
    /** PREPARE TRANSACTION gives the lock up. */
    LOCK_LOST_BY_PREPARE,
    /** A reader leaves when it has the first snapshot. */
    LEFT_TOO_EARLY,
    /** It is not asked whether what was taken counts. */
    LEASE_IGNORED
  }

  /** Of a transaction on one shard. */
  private enum Part {
    OPEN,
    PREPARED,
    COMMITTED,
    ABORTED
  }

  /** Connections to servers, which can be dropped only when they have been opened. */
  private enum Links {
    OPEN,
    OPENING
  }

  private final Flaw flaw;
  private final int shards;

  /** Of each transaction, by shard; the first shard is the anchor of the first, and so on. */
  private final List<List<Part>> transactions = new ArrayList<>();

  private final List<Reader> readers = new ArrayList<>();
  private int ticks;
  private int faults;

  /** A gate and the one who reads behind it. */
  private static final class Reader {
    Gate gate = Gate.OPEN;
    String progress = "new";

    /** Where the lock has been asked for, and where it is held since which tick. */
    final Set<Integer> asked = new TreeSet<>();

    final TreeMap<Integer, Integer> held = new TreeMap<>();

    /** The transactions that each snapshot shows. */
    final TreeMap<Integer, Set<Integer>> seen = new TreeMap<>();

    /** When the gate is to learn that time has passed, unless it has been. */
    Optional<Long> wake = Optional.empty();

    Reader copy() {
      Reader copy = new Reader();
      copy.gate = gate;
      copy.progress = progress;
      copy.asked.addAll(asked);
      copy.held.putAll(held);
      copy.seen.putAll(seen);
      copy.wake = wake;
      return copy;
    }

    @Override
    public String toString() {
      return progress + gate + asked + held + seen + wake;
    }
  }

  GateWorld(Flaw flaw, int shards, int readers, int faults) {
    this.flaw = flaw;
    this.shards = shards;
    this.faults = faults;
    for (int i = 0; i < 2; i++) {
      transactions.add(new ArrayList<>(java.util.Collections.nCopies(shards, Part.OPEN)));
    }
    for (int i = 0; i < readers; i++) {
      this.readers.add(new Reader());
    }
  }

  private GateWorld copy() {
    GateWorld copy = new GateWorld(flaw, shards, 0, faults);
    copy.ticks = ticks;
    copy.transactions.clear();
    transactions.forEach(parts -> copy.transactions.add(new ArrayList<>(parts)));
    readers.forEach(reader -> copy.readers.add(reader.copy()));
    return copy;
  }

  @Override
  public String toString() {
    return transactions + " " + readers + " " + ticks + " " + faults;
  }

  private long now() {
    return ticks * Gate.LEASE_NANOS;
  }

  private static final int FORCED_TICKS =
      (int) (Gate.FORCED_OPEN_MILLIS * 1_000_000L / Gate.LEASE_NANOS);
  private static final int ANSWER_TICKS = (int) (Gate.ANSWER_NANOS / Gate.LEASE_NANOS);

  /** How many readers have got snapshots that count. */
  long served() {
    return readers.stream().filter(reader -> reader.progress.equals("served")).count();
  }

  List<GateWorld> successors() {
    List<GateWorld> next = new ArrayList<>();
    for (int i = 0; i < transactions.size(); i++) {
      transactionSteps(i, next);
    }
    for (int i = 0; i < readers.size(); i++) {
      readerSteps(i, next);
    }
    if (faults > 0) {
      for (int passed : List.of(FORCED_TICKS, ANSWER_TICKS)) {
        GateWorld later = copy();
        later.faults--;
        later.ticks += passed;
        next.add(later);
      }
    }
    return next;
  }

  private void transactionSteps(int number, List<GateWorld> next) {
    List<Part> parts = transactions.get(number);
    int anchor = number % shards;
    boolean decided = parts.get(anchor) == Part.COMMITTED;
    boolean allPrepared = true;
    for (int shard = 0; shard < shards; shard++) {
      if (shard == anchor) {
        continue;
      }
      allPrepared &= parts.get(shard) == Part.PREPARED;
      if (parts.get(shard) == Part.OPEN && !decided) {
        int where = shard;
        boolean kept = readers.stream().anyMatch(reader -> reader.held.containsKey(where));
        if (!kept || flaw == Flaw.PREPARED_WITHOUT_LOCK) {
          next.add(with(number, shard, Part.PREPARED));
        }
      } else if (parts.get(shard) == Part.PREPARED && decided) {
        next.add(with(number, shard, Part.COMMITTED));
      }
    }
    if (allPrepared && parts.get(anchor) == Part.OPEN) {
      next.add(with(number, anchor, Part.COMMITTED));
      GateWorld aborted = copy();
      aborted.transactions.set(
          number, new ArrayList<>(java.util.Collections.nCopies(shards, Part.ABORTED)));
      next.add(aborted);
    }
  }

  private GateWorld with(int number, int shard, Part part) {
    GateWorld next = copy();
    next.transactions.get(number).set(shard, part);
    return next;
  }

  private void readerSteps(int index, List<GateWorld> next) {
    Reader reader = readers.get(index);
    if (reader.progress.equals("new")) {
      List<Integer> all = java.util.stream.IntStream.range(0, shards).boxed().toList();
      next.add(after(index, one -> one.gate.enter(1, ShardSet.of(all), now()), "waiting"));
    }
    if (reader.wake.filter(at -> at <= now()).isPresent()) {
      for (Links links : Links.values()) {
        GateWorld woken = copy();
        Reader one = woken.readers.get(index);
        one.wake = Optional.empty();
        woken.perform(one, one.gate.time(now()), links);
        next.add(woken);
      }
    }
    for (int shard : reader.asked) {
      boolean free =
          flaw == Flaw.LOCK_LOST_BY_PREPARE
              || transactions.stream().noneMatch(parts -> parts.get(shard) == Part.PREPARED);
      next.add(
          after(
              index,
              one -> {
                one.asked.remove(shard);
                if (free) {
                  one.held.put(shard, ticks);
                }
                return one.gate.answered(shard, free, now());
              },
              reader.progress));
    }
    for (int shard : reader.held.keySet()) {
      if (ticks - reader.held.getOrDefault(shard, ticks) >= FORCED_TICKS) {
        GateWorld forced = copy(); // the gate has not heard of it yet
        forced.readers.get(index).held.remove(shard);
        next.add(forced);
      }
      if (faults > 0) {
        GateWorld lost =
            after(
                index,
                one -> {
                  one.held.remove(shard);
                  return one.gate.lost(shard, now());
                },
                reader.progress);
        lost.faults--;
        next.add(lost);
      }
    }
    if (reader.progress.equals("begun")) {
      for (int shard = 0; shard < shards; shard++) {
        if (!reader.seen.containsKey(shard)) {
          next.add(taken(index, shard));
        }
      }
    }
  }

  private GateWorld taken(int index, int shard) {
    GateWorld next = copy();
    Reader reader = next.readers.get(index);
    Set<Integer> visible = new TreeSet<>();
    for (int i = 0; i < transactions.size(); i++) {
      if (transactions.get(i).get(shard) == Part.COMMITTED) {
        visible.add(i);
      }
    }
    reader.seen.put(shard, visible);
    boolean all = reader.seen.size() == shards;
    if (all || flaw == Flaw.LEFT_TOO_EARLY) {
      boolean good = reader.gate.isGood(1, now());
      next.perform(reader, reader.gate.leave(1, now()));
      if (all && (good || flaw != Flaw.NONE)) {
        reader.progress = "served";
        if (reader.seen.values().stream().distinct().count() > 1) {
          throw new AssertionError("half a transaction is seen: " + next);
        }
      } else if (all) {
        reader.progress = "late";
      }
    }
    return next;
  }

  private interface Transition {
    Gate.GateChange of(Reader reader);
  }

  private GateWorld after(int index, Transition transition, String progress) {
    GateWorld next = copy();
    Reader reader = next.readers.get(index);
    reader.progress = progress;
    next.perform(reader, transition.of(reader));
    return next;
  }

  private void perform(Reader reader, Gate.GateChange change) {
    perform(reader, change, Links.OPEN);
  }

  private void perform(Reader reader, Gate.GateChange change, Links links) {
    reader.gate = change.next();
    for (Gate.GateEffect effect : change.effects()) {
      if (effect instanceof Gate.GateEffect.Close close) {
        reader.asked.add(close.shard());
      } else if (effect instanceof Gate.GateEffect.Open open) {
        reader.held.remove(open.shard());
      } else if (effect instanceof Gate.GateEffect.Begin) {
        reader.progress = "begun";
      } else if (effect instanceof Gate.GateEffect.RefuseGate) {
        reader.progress = "refused";
      } else if (effect instanceof Gate.GateEffect.Wake wake) {
        reader.wake = Optional.of(wake.atNanos());
      } else if (effect instanceof Gate.GateEffect.Drop drop && links == Links.OPEN) {
        reader.asked.remove(drop.shard());
        perform(reader, reader.gate.lost(drop.shard(), now()));
      }
    }
    if (reader.gate.phase() != Gate.GatePhase.OPEN && reader.wake.isEmpty()) {
      throw new AssertionError("nothing ends the phase: " + this);
    }
  }
}
