package io.shardmark.proxy.standby;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How old what each standby of a shard shows may be, and which of them is read from. A standby that
 * has replayed what the primary had written when it was asked shows all that was committed before
 * that question. An immutable value; times are those of one clock of the proxy's.
 *
 * @param primary and its timeline: the positions are theirs
 * @param written what the primary had written, the latest last
 * @param levels by host: it shows all that was committed before
 * @param places by host
 * @param chosen the standby that is read from, or {@link ShardPrimary#NONE}
 */
record StandbyLevels(
    int primary,
    int timeline,
    List<Written> written,
    Map<Integer, Long> levels,
    Map<Integer, SocketAddress> places,
    int chosen) {
  /** Before anything is known. */
  static final StandbyLevels NONE =
      new StandbyLevels(ShardPrimary.NONE, 0, List.of(), Map.of(), Map.of(), ShardPrimary.NONE);

  /** Two minutes of questions: a standby that is further back than that is not read from. */
  private static final int MOST_WRITTEN = 600;

  /** The position of the primary when it was asked, or later. */
  record Written(long askedNanos, long position) {}

  StandbyLevels {
    written = List.copyOf(written);
    levels = Map.copyOf(levels);
    places = Map.copyOf(places);
  }

  /**
   * With what is known of the hosts now.
   *
   * @param limitNanos how old what is read may be
   */
  StandbyLevels after(ShardPrimary known, long nowNanos, long limitNanos) {
    int now = known.primary();
    boolean other = now != ShardPrimary.NONE && (now != primary || known.newest() != timeline);
    StandbyLevels before =
        other ? new StandbyLevels(now, known.newest(), List.of(), Map.of(), places, chosen) : this;
    List<Written> all = before.withWritten(known);
    Map<Integer, Long> found = new HashMap<>();
    Map<Integer, SocketAddress> at = new HashMap<>();
    for (int host = 0; host < known.hostCount(); host++) {
      if (known.follows(host)) {
        int asked = host;
        long replayed = known.position(host);
        all.stream()
            .filter(one -> one.position() <= replayed)
            .reduce((older, newer) -> newer)
            .map(Written::askedNanos)
            .or(() -> Optional.ofNullable(before.levels.get(asked)))
            .ifPresent(level -> found.put(asked, level));
        known.place(host).ifPresent(place -> at.put(asked, place.address()));
      }
    }
    return new StandbyLevels(before.primary, before.timeline, all, found, at, chosen)
        .choose(nowNanos, limitNanos);
  }

  private List<Written> withWritten(ShardPrimary known) {
    if (known.primary() == ShardPrimary.NONE) {
      return written;
    }
    Written now = new Written(known.askedNanos(primary), known.position(primary));
    if (!written.isEmpty()
        && now.askedNanos() - written.get(written.size() - 1).askedNanos() <= 0) {
      return written;
    }
    List<Written> all = new ArrayList<>(written);
    all.add(now);
    return all.subList(Math.max(0, all.size() - MOST_WRITTEN), all.size());
  }

  /** Stays with the one that is read from as long as it is within the limit. */
  private StandbyLevels choose(long nowNanos, long limitNanos) {
    if (isWithin(chosen, nowNanos, limitNanos)) {
      return this;
    }
    int best =
        levels.entrySet().stream()
            .filter(one -> nowNanos - one.getValue() <= limitNanos)
            .max(Comparator.comparing(one -> one.getValue() - nowNanos))
            .map(Map.Entry::getKey)
            .orElse(ShardPrimary.NONE);
    return new StandbyLevels(primary, timeline, written, levels, places, best);
  }

  private boolean isWithin(int host, long nowNanos, long limitNanos) {
    Long level = levels.get(host);
    return level != null && nowNanos - level <= limitNanos;
  }

  /** How old what the standby shows may be. */
  Optional<Long> ageNanos(int host, long nowNanos) {
    return Optional.ofNullable(levels.get(host)).map(level -> nowNanos - level);
  }

  /**
   * Whether a standby shows all that was committed before that time.
   *
   * @param address where it is; null: the one that is read from
   */
  boolean shows(@Nullable SocketAddress address, long sinceNanos, long nowNanos, long limitNanos) {
    return levels.entrySet().stream()
        .filter(
            one ->
                address == null ? one.getKey() == chosen : address.equals(places.get(one.getKey())))
        .map(Map.Entry::getValue)
        .anyMatch(level -> level - sinceNanos >= 0 && nowNanos - level <= limitNanos);
  }
}
