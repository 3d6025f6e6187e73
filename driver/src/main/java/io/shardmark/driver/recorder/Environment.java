package io.shardmark.driver.recorder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a run runs, as names and texts. */
public final class Environment {
  private Environment() {}

  /**
   * What distinguishes this machine from all others, whatever its containers are called; empty if
   * nothing does.
   */
  public static String machineId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return ""; // not Linux
    }
  }

  /** Asks this machine. */
  public static Map<String, String> machine() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("architecture", System.getProperty("os.arch"));
    machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("processorModel", procValue("/proc/cpuinfo", "model name"));
    machine.put("memory", procValue("/proc/meminfo", "MemTotal"));
    machine.values().removeIf(String::isEmpty);
    return machine;
  }

  /** Asks this JVM. */
  public static Map<String, String> jvm() {
    Map<String, String> jvm = new LinkedHashMap<>();
    jvm.put("version", System.getProperty("java.runtime.version"));
    jvm.put("name", System.getProperty("java.vm.name"));
    jvm.put("vendor", System.getProperty("java.vendor"));
    jvm.put("maxHeapMegabytes", Long.toString(Runtime.getRuntime().maxMemory() >> 20));
    jvm.put(
        "garbageCollectors",
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", ")));
    // Options only: system properties (-D) may hold a password.
    List<String> options =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("-X"))
            .toList();
    jvm.put("options", String.join(" ", options));
    return jvm;
  }

  private static String procValue(String file, String key) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(key))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("");
    } catch (IOException | UncheckedIOException e) {
      return ""; // not Linux
    }
  }
}
