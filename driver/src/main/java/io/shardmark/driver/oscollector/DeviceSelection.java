package io.shardmark.driver.oscollector;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which devices get a file, decided from the first reading.
 *
 * @param known {@code blk_X} and {@code net_X} names that exist, in the order they were asked for
 * @param warning one line on those that do not exist; empty if all do
 */
record DeviceSelection(List<String> known, String warning) {
  private static final String AUTO = "auto";

  /**
   * @param wanted names with their prefix; {@code blk_auto} means all physical disks, {@code
   *     net_auto} all interfaces but the loopback, {@code auto} both
   */
  static DeviceSelection of(List<String> wanted, MachineCounters machine) {
    Set<String> known = new LinkedHashSet<>();
    List<String> unknown = new ArrayList<>();
    for (String name : wanted) {
      if (name.matches("(blk_|net_)?" + AUTO)) {
        String prefix = name.substring(0, name.length() - AUTO.length());
        machine.devices().keySet().stream()
            .filter(device -> device.startsWith(prefix))
            .filter(
                device ->
                    machine.physicalDisks().contains(device) || device.matches("net_(?!lo\\d*$).*"))
            .forEach(known::add);
      } else if (machine.devices().containsKey(name)) {
        known.add(name);
      } else {
        unknown.add(name);
      }
    }
    return new DeviceSelection(
        List.copyOf(known),
        unknown.isEmpty()
            ? ""
            : "OS collector: no such device in osCollectorDevices: %s; the machine has %s"
                .formatted(
                    String.join(" ", unknown), String.join(" ", machine.devices().keySet())));
  }
}
