package io.shardmark.driver.meeting;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who has joined, and whether they fit together. Pure; not safe for several threads. */
final class Roster {
  private final int count;
  private final int warehouses;
  private final DriverIdentity first;
  private final Map<Integer, DriverIdentity> joined = new TreeMap<>();

  /**
   * @param count how many drivers the run has
   * @param warehouses of the run
   * @param first driver 0, whose settings are the measure
   */
  Roster(int count, int warehouses, DriverIdentity first) {
    this.count = count;
    this.warehouses = warehouses;
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
    DriverIdentity.Share share = driver.share();
    if (share.warehouseFrom() < 1
        || share.warehouseTo() < share.warehouseFrom()
        || share.warehouseTo() > warehouses) {
      return Optional.of(
          "has warehouses %d to %d, expected a part of 1 to %d"
              .formatted(share.warehouseFrom(), share.warehouseTo(), warehouses));
    }
    for (DriverIdentity other : joined.values()) {
      if (share.warehouseFrom() <= other.share().warehouseTo()
          && other.share().warehouseFrom() <= share.warehouseTo()) {
        return Optional.of(
            "has warehouses %d to %d, which overlap %d to %d of driver %d"
                .formatted(
                    share.warehouseFrom(),
                    share.warehouseTo(),
                    other.share().warehouseFrom(),
                    other.share().warehouseTo(),
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
    StringBuilder absent = new StringBuilder();
    for (int index = 0; index < count; index++) {
      if (!joined.containsKey(index)) {
        absent.append(absent.length() == 0 ? "driver " : ", driver ").append(index);
      }
    }
    return absent.toString();
  }

  /** Warehouses of the run that no driver has, if there are any; only when all are there. */
  Optional<String> gap() {
    long covered =
        joined.values().stream()
            .map(DriverIdentity::share)
            .mapToLong(share -> share.warehouseTo() - share.warehouseFrom() + 1L)
            .sum();
    return covered == warehouses
        ? Optional.empty()
        : Optional.of(
            "the drivers have %d of %d warehouses: expected warehouseFrom and warehouseTo without gaps, or neither of them"
                .formatted(covered, warehouses));
  }
}
