package io.shardmark.driver.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.measure.LoadFigures;

/** What was due, begun and done, as an object of a result's JSON. */
public final class LoadJson {
  private LoadJson() {}

  /** Adds the members of {@code load}. */
  public static void write(ObjectNode node, LoadFigures load) {
    if (load.askedPerMinute() > 0) {
      node.put("askedPerMinute", load.askedPerMinute());
    }
    node.put("due", load.due())
        .put("begun", load.begun())
        .put("done", load.done())
        .put("backlogAtStart", load.backlogAtStart())
        .put("backlogAtEnd", load.backlogAtEnd())
        .put("backlogGrowth", load.backlogGrowth())
        .put("inFlightAtEnd", load.inFlightAtEnd())
        .put("brokenOff", load.brokenOff());
  }

  /** Reads what {@link #write} wrote. */
  public static LoadFigures read(JsonNode node) {
    return new LoadFigures(
        node.path("askedPerMinute").asDouble(),
        node.path("due").asLong(),
        node.path("begun").asLong(),
        node.path("done").asLong(),
        node.path("backlogAtStart").asLong(),
        node.path("backlogAtEnd").asLong(),
        node.path("inFlightAtEnd").asLong(),
        node.path("brokenOff").asLong());
  }
}
