package io.shardmark.driver.meeting;

import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Scale.ScaleUse;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who has joined, and whether they fit together. Pure; not safe for several threads. */
final class Roster {
  private final int count;
  private final Scale scale;
  private final DriverIdentity first;
  private final Map<Integer, DriverIdentity> joined = new TreeMap<>();

  /**
   * @param first driver 0, whose settings are the measure
   */
  Roster(int count, Scale scale, DriverIdentity first) {
    this.count = count;
    this.scale = scale;
    this.first = first;
    joined.put(first.index(), first);
  }

  boolean has(DriverIdentity driver) {
    return joined.containsKey(driver.index());
  }

  int size() {
    return joined.size();
  }

  /**
   * Takes in a driver.
   *
   * @return why it does not fit, if it does not; then it was not taken in
   */
  Optional<String> join(DriverIdentity driver) {
    Optional<String> refusal = refusal(driver);
    if (refusal.isEmpty()) {
      joined.put(driver.index(), driver);
    }
    return refusal;
  }

  private Optional<String> refusal(DriverIdentity driver) {
    if (driver.index() < 0 || driver.index() >= count) {
      return Optional.of("expected a driverIndex from 0 to " + (count - 1));
    }
    if (joined.containsKey(driver.index())) {
      return Optional.of("another driver has this driverIndex");
    }
    if (!driver.product().equals(first.product())) {
      return Optional.of(
          "is of version %s, expected %s as driver 0 is"
              .formatted(driver.product(), first.product()));
    }
    for (Map.Entry<String, String> setting : first.settings().entrySet()) {
      String found = driver.settings().getOrDefault(setting.getKey(), "(not set)");
      if (!found.equals(setting.getValue())) {
        return Optional.of(
            "has %s=%s, expected %s as driver 0 has it"
                .formatted(setting.getKey(), found, setting.getValue()));
      }
    }
    if (driver.settings().size() != first.settings().size()) {
      return Optional.of("has settings that driver 0 does not know");
    }
    return overlap(driver);
  }

  private Optional<String> overlap(DriverIdentity driver) {
    if (scale.use() == ScaleUse.SHARED) {
      return Optional.empty();
    }
    DriverIdentity.Share share = driver.share();
    if (share.from() < 1 || share.to() < share.from() || share.to() > scale.size()) {
      return Optional.of(
          "has %s %d to %d, expected a part of 1 to %d"
              .formatted(scale.plural(), share.from(), share.to(), scale.size()));
    }
    for (DriverIdentity other : joined.values()) {
      if (share.from() <= other.share().to() && other.share().from() <= share.to()) {
        return Optional.of(
            "has %s %d to %d, which overlap %d to %d of driver %d"
                .formatted(
                    scale.plural(),
                    share.from(),
                    share.to(),
                    other.share().from(),
                    other.share().to(),
                    other.index()));
      }
    }
    return Optional.empty();
  }

  boolean isComplete() {
    return joined.size() == count;
  }

  /** Who is not there yet, as {@code driver 1, driver 3}. */
  String absent() {
    return IntStream.range(0, count)
        .filter(index -> !joined.containsKey(index))
        .mapToObj(index -> "driver " + index)
        .collect(Collectors.joining(", "));
  }

  /** What of the scale no driver has, if there is any; only when all are there. */
  Optional<String> gap() {
    if (scale.use() == ScaleUse.SHARED) {
      return Optional.empty();
    }
    long covered =
        joined.values().stream()
            .map(DriverIdentity::share)
            .mapToLong(share -> share.to() - share.from() + 1L)
            .sum();
    return covered == scale.size()
        ? Optional.empty()
        : Optional.of(
            "the drivers have %1$d of %2$s: expected %3$sFrom and %3$sTo without gaps, or neither of them"
                .formatted(covered, scale.words(), scale.unit()));
  }
}
