package io.shardmark.driver.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.bottleneck.MachineUse;
import io.shardmark.driver.bottleneck.ServerWaits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What was seen of the server, as members of a result's JSON. */
public final class ServerSideJson {
  private ServerSideJson() {}

  /** Adds the members {@code databaseFigures}, {@code serverWaits} and {@code observedMachine}. */
  public static void write(ObjectNode root, ServerSide server) {
    ObjectNode figures = root.putObject("databaseFigures");
    server.figures().forEach(figures::put);
    waits(root.putObject("serverWaits"), server.waits());
    server.machine().ifPresent(machine -> machine(root.putObject("observedMachine"), machine));
  }

  private static void waits(ObjectNode node, ServerWaits waits) {
    node.put("samples", waits.samples())
        .put("coveredSeconds", rounded(waits.coveredSeconds()))
        .put("sampleMillis", rounded(waits.sampleMillis()))
        .put("missing", waits.missing());
    ArrayNode activities = node.putArray("activities");
    for (ServerWaits.Activity activity : waits.activities()) {
      activities
          .addObject()
          .put("type", activity.type())
          .put("event", activity.event())
          .put("sessions", rounded(activity.sessions()));
    }
    ArrayNode tables = node.putArray("lockedTables");
    for (ServerWaits.LockedTable table : waits.lockedTables()) {
      tables.addObject().put("table", table.table()).put("sessions", rounded(table.sessions()));
    }
  }

  private static void machine(ObjectNode node, MachineUse machine) {
    node.put("ofServer", machine.ofServer())
        .put("busyShare", rounded(machine.busyShare()))
        .put("ioWaitShare", rounded(machine.ioWaitShare()));
    ObjectNode disks = node.putObject("disks");
    machine
        .disks()
        .forEach(
            (name, disk) ->
                disks
                    .putObject(name)
                    .put("busyShare", rounded(disk.busyShare()))
                    .put("readKbPerSecond", rounded(disk.readKbPerSecond()))
                    .put("writtenKbPerSecond", rounded(disk.writtenKbPerSecond()))
                    .put("writesPerSecond", rounded(disk.writesPerSecond())));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }

  /** Reads what {@link #write} wrote; nothing where the members are missing. */
  public static ServerSide read(JsonNode root) {
    Map<String, Double> figures = new LinkedHashMap<>();
    root.path("databaseFigures")
        .properties()
        .forEach(member -> figures.put(member.getKey(), member.getValue().asDouble()));
    JsonNode machine = root.path("observedMachine");
    return new ServerSide(
        figures,
        waits(root.path("serverWaits")),
        machine.isObject() ? Optional.of(machine(machine)) : Optional.empty());
  }

  private static ServerWaits waits(JsonNode node) {
    List<ServerWaits.Activity> activities = new ArrayList<>();
    for (JsonNode one : node.path("activities")) {
      activities.add(
          new ServerWaits.Activity(
              one.path("type").asText(),
              one.path("event").asText(),
              one.path("sessions").asDouble()));
    }
    List<ServerWaits.LockedTable> tables = new ArrayList<>();
    for (JsonNode one : node.path("lockedTables")) {
      tables.add(
          new ServerWaits.LockedTable(one.path("table").asText(), one.path("sessions").asDouble()));
    }
    return new ServerWaits(
        node.path("samples").asLong(),
        node.path("coveredSeconds").asDouble(),
        node.path("sampleMillis").asDouble(),
        node.path("missing").asText(),
        activities,
        tables);
  }

  private static MachineUse machine(JsonNode node) {
    SortedMap<String, MachineUse.Disk> disks = new TreeMap<>();
    node.path("disks")
        .properties()
        .forEach(
            member ->
                disks.put(
                    member.getKey(),
                    new MachineUse.Disk(
                        member.getValue().path("busyShare").asDouble(),
                        member.getValue().path("readKbPerSecond").asDouble(),
                        member.getValue().path("writtenKbPerSecond").asDouble(),
                        member.getValue().path("writesPerSecond").asDouble())));
    return new MachineUse(
        node.path("ofServer").asBoolean(),
        node.path("busyShare").asDouble(),
        node.path("ioWaitShare").asDouble(),
        disks);
  }
}
