package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Texts;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where on a curve a run is.
 *
 * @param scale its number is 0 if not known
 * @param terminals concurrent users; 0 if not known
 */
public record Place(RunScale scale, int terminals) implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::number).thenComparingInt(Place::terminals);

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }

  public int number() {
    return scale.number();
  }

  /** The same terminals at another scale; 0 for any. */
  public Place at(int number) {
    return new Place(new RunScale(scale.name(), number), terminals);
  }

  @JsonValue
  Map<String, Integer> members() {
    Map<String, Integer> members = new LinkedHashMap<>();
    members.put(scale.name(), scale.number());
    members.put("terminals", terminals);
    return members;
  }

  /** As tables show a number that may not be known. */
  public static String text(int number) {
    return number == 0 ? "?" : Texts.count(number);
  }

  public String terminalsText() {
    return text(terminals);
  }

  /** {@code 50 warehouses}, as a heading. */
  public String scaleText() {
    return number() == 0
        ? "Number of " + scale.name() + " not known"
        : Texts.count(number()) + " " + scale.noun();
  }

  /** {@code 50 warehouses, 20 terminals}. */
  public String text() {
    return "%s %s, %s %s"
        .formatted(
            text(number()),
            scale.noun(),
            text(terminals),
            terminals == 1 ? "terminal" : "terminals");
  }
}
