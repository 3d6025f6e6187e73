package io.shardmark.proxy.placement;

import io.shardmark.proxy.ddl.PlacementChanges.Change;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A move of tables from when this proxy knows of it until the map shows how it has ended. Guarded
 * by the meeting.
 */
final class FollowedMove {
  private final int number;
  private final Set<String> tables = new HashSet<>();

  /** Parts of the message that each shard has given. */
  private final Map<Integer, Integer> heard = new HashMap<>();

  private final BitSet answered = new BitSet();
  private final BitSet over = new BitSet();
  private int parts = Integer.MAX_VALUE;

  /** It is of this proxy, whose session keeps the other clients off by itself. */
  private boolean own;

  private boolean begun;
  private @Nullable Change change;
  private boolean keptOff;
  private boolean reading;
  private boolean shown;

  FollowedMove(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  Set<String> tables() {
    return Set.copyOf(tables);
  }

  void setOwn() {
    own = true;
    keptOff = true;
  }

  void hear(int shard, MoveMessage message) {
    tables.addAll(message.tables());
    parts = message.parts();
    heard.merge(shard, 1, Integer::sum);
  }

  /** Whether statements must be kept off its tables, which are known now; once. */
  boolean takeBeginning() {
    boolean take = !own && !begun && heard.values().stream().anyMatch(count -> count >= parts);
    begun |= take;
    return take;
  }

  void setKeptOff() {
    keptOff = true;
  }

  /** Whether the mover waits on that shard for the answer, which may be given; once. */
  boolean takeAnswer(int shard) {
    if (!keptOff || heard.getOrDefault(shard, 0) < parts || answered.get(shard)) {
      return false;
    }
    answered.set(shard);
    return true;
  }

  boolean isOverOn(int shard) {
    return over.get(shard);
  }

  void setOverOn(int shard) {
    over.set(shard);
  }

  /** Whether the map must be read now; once, unless that fails. */
  boolean takeReading(int shards) {
    boolean take = !reading && !shown && over.cardinality() == shards;
    reading |= take;
    return take;
  }

  /** The map could not be read. */
  void readAgain() {
    reading = false;
  }

  /** The map shows how it has ended. */
  void setShown() {
    shown = true;
  }

  /** What holds statements back until it is over. */
  void holdsBy(Change now) {
    change = now;
  }

  @Nullable Change change() {
    return change;
  }

  /** Whether nothing has to be done for it any more. */
  boolean isDone() {
    return shown && (change != null || !(own || begun));
  }
}
