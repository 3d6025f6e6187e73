package io.shardmark.driver.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.measure.RunFaults.Fault;
import io.shardmark.driver.measure.RunFaults.ObserverNote;
import io.shardmark.driver.result.RunSummary.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What went wrong in the driver, as members of a result's JSON. */
public final class TroubleJson {
  private TroubleJson() {}

  /** Adds the members {@code faults} and {@code observers}; both are arrays. */
  public static void write(ObjectNode root, Trouble trouble) {
    ArrayNode faults = root.putArray("faults");
    for (Fault fault : trouble.faults()) {
      ObjectNode node = faults.addObject();
      node.put("thread", fault.thread())
          .put("cause", fault.cause())
          .put("afterSeconds", seconds(fault.since()));
      ArrayNode trace = node.putArray("trace");
      fault.trace().forEach(trace::add);
    }
    ArrayNode observers = root.putArray("observers");
    for (ObserverNote note : trouble.observers()) {
      observers.addObject().put("text", note.text()).put("afterSeconds", seconds(note.since()));
    }
  }

  /** Reads what {@link #write} wrote; nothing where the members are missing. */
  public static Trouble read(JsonNode root) {
    List<Fault> faults = new ArrayList<>();
    for (JsonNode node : root.path("faults")) {
      List<String> trace = new ArrayList<>();
      node.path("trace").forEach(frame -> trace.add(frame.asText()));
      faults.add(
          new Fault(node.path("thread").asText(), node.path("cause").asText(), trace, since(node)));
    }
    List<ObserverNote> observers = new ArrayList<>();
    for (JsonNode node : root.path("observers")) {
      observers.add(new ObserverNote(node.path("text").asText(), since(node)));
    }
    return new Trouble(faults, observers);
  }

  private static double seconds(Duration since) {
    return since.toMillis() / 1e3;
  }

  private static Duration since(JsonNode node) {
    return Duration.ofMillis(Math.round(1e3 * node.path("afterSeconds").asDouble()));
  }
}
