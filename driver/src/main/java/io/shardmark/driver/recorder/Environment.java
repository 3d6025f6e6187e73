package io.shardmark.driver.recorder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a run ran, as names and texts.
 *
 * @param machine the driver's machine
 * @param jvm the driver's Java
 * @param database product, version and settings as the server reports them
 */
public record Environment(
    Map<String, String> machine, Map<String, String> jvm, Map<String, String> database) {
  public Environment {
    machine = Collections.unmodifiableMap(new LinkedHashMap<>(machine));
    jvm = Collections.unmodifiableMap(new LinkedHashMap<>(jvm));
    database = Collections.unmodifiableMap(new LinkedHashMap<>(database));
  }

  /** Asks this machine and this JVM. */
  public static Environment here(Map<String, String> database) {
    return new Environment(readMachine(), readJvm(), database);
  }

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

  private static Map<String, String> readMachine() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("architecture", System.getProperty("os.arch"));
    machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("processorModel", procValue("/proc/cpuinfo", "model name"));
    machine.put("memory", procValue("/proc/meminfo", "MemTotal"));
    machine.values().removeIf(String::isEmpty);
    return machine;
  }

  private static Map<String, String> readJvm() {
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
