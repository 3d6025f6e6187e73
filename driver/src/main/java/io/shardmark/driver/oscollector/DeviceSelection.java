package io.shardmark.driver.oscollector;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which devices get a file, decided from the first snapshot.
 *
 * @param known {@code blk_X} and {@code net_X} names that exist, in the order they were asked for
 * @param warning one line on those that do not exist; empty if all do
 */
record DeviceSelection(List<String> known, String warning) {
  static final String BLOCK = "blk_";
  static final String NET = "net_";

  DeviceSelection {
    known = List.copyOf(known);
  }

  /**
   * @param wanted names with their prefix; {@code blk_auto} means all physical disks, {@code
   *     net_auto} all interfaces but the loopback, {@code auto} both
   */
  static DeviceSelection of(List<String> wanted, SystemSnapshot snapshot) {
    Set<String> known = new LinkedHashSet<>();
    List<String> unknown = new ArrayList<>();
    for (String name : wanted) {
      switch (name) {
        case "auto" -> {
          known.addAll(disks(snapshot));
          known.addAll(interfaces(snapshot));
        }
        case "blk_auto" -> known.addAll(disks(snapshot));
        case "net_auto" -> known.addAll(interfaces(snapshot));
        default -> {
          if (exists(name, snapshot)) {
            known.add(name);
          } else {
            unknown.add(name);
          }
        }
      }
    }
    return new DeviceSelection(List.copyOf(known), warning(unknown, snapshot));
  }

  private static List<String> disks(SystemSnapshot snapshot) {
    return snapshot.physicalDisks().stream()
        .filter(snapshot.blocks()::containsKey)
        .map(BLOCK::concat)
        .toList();
  }

  private static List<String> interfaces(SystemSnapshot snapshot) {
    return snapshot.nets().keySet().stream()
        .filter(name -> !name.matches("lo\\d*"))
        .map(NET::concat)
        .toList();
  }

  private static boolean exists(String name, SystemSnapshot snapshot) {
    return (name.startsWith(BLOCK) && snapshot.blocks().containsKey(name.substring(BLOCK.length())))
        || (name.startsWith(NET) && snapshot.nets().containsKey(name.substring(NET.length())));
  }

  private static String warning(List<String> unknown, SystemSnapshot snapshot) {
    if (unknown.isEmpty()) {
      return "";
    }
    String existing =
        Stream.concat(
                snapshot.blocks().keySet().stream().map(BLOCK::concat),
                snapshot.nets().keySet().stream().map(NET::concat))
            .collect(Collectors.joining(" "));
    return "OS collector: no such device in osCollectorDevices: %s; the machine has %s"
        .formatted(String.join(" ", unknown), existing);
  }
}
