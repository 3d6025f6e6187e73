package io.shardmark.driver.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.bottleneck.Bottleneck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What limited a run, as the member {@code bottleneck} of {@code summary.json}. */
public final class BottleneckJson {
  private BottleneckJson() {}

  static void write(ObjectNode node, Bottleneck bottleneck) {
    node.put("sentence", bottleneck.sentence());
    ArrayNode uses = node.putArray("uses");
    for (Bottleneck.Use use : bottleneck.uses()) {
      ObjectNode one = uses.addObject().put("what", use.what());
      use.share().ifPresent(share -> one.put("share", Math.round(share * 1e4) / 1e4));
      one.put("text", use.text());
    }
  }

  /** Reads what {@link #write} wrote; empty if the program that wrote the file had none. */
  public static Optional<Bottleneck> read(JsonNode node) {
    if (!node.has("sentence")) {
      return Optional.empty();
    }
    List<Bottleneck.Use> uses = new ArrayList<>();
    for (JsonNode use : node.path("uses")) {
      uses.add(
          new Bottleneck.Use(
              use.path("what").asText(),
              use.has("share")
                  ? OptionalDouble.of(use.path("share").asDouble())
                  : OptionalDouble.empty(),
              use.path("text").asText()));
    }
    return Optional.of(new Bottleneck(node.path("sentence").asText(), uses));
  }
}
