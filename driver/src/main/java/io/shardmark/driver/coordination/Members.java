package io.shardmark.driver.coordination;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The drivers that have joined a group, in the order of their indexes, and what became of each.
 * Guarded by the coordinator's lock.
 */
final class Members {
  private final Map<Integer, Member> byIndex = new TreeMap<>();

  void add(Member member) {
    byIndex.put(member.index(), member);
  }

  int size() {
    return byIndex.size();
  }

  List<Member> all() {
    return List.copyOf(byIndex.values());
  }

  List<Member> allThat(Predicate<Member> test) {
    return byIndex.values().stream().filter(test).toList();
  }

  /** Those that were not lost. */
  List<Member> here() {
    return allThat(Member::isHere);
  }

  /** {@code driver 1 (10.0.0.7:41234), driver 3 (10.0.0.9:40112)}. */
  String names(Predicate<Member> test) {
    return String.join(", ", allThat(test).stream().map(Member::name).toList());
  }

  /** Those beside driver 0 that may still bring their files. */
  List<Member> unfinished() {
    return allThat(member -> member.index() != 0 && member.isHere() && !member.isDone());
  }

  /** What they brought, how their clocks went, and who was lost. */
  Collected collected() {
    List<Collected.Part> parts = new ArrayList<>();
    List<Collected.Clock> clocks = new ArrayList<>();
    List<Collected.Lost> lost = new ArrayList<>();
    for (Member member : byIndex.values()) {
      Path files = member.files();
      String reason = member.lost();
      if (reason != null && member.index() != 0) {
        lost.add(new Collected.Lost(member.index(), member.identity().share(), reason));
        continue;
      }
      member
          .driftNanos()
          .ifPresent(drift -> clocks.add(new Collected.Clock(member.index(), drift)));
      if (files != null) {
        parts.add(new Collected.Part(member.index(), files));
      }
    }
    return new Collected(parts, clocks, lost);
  }
}
