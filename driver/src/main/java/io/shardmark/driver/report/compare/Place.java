package io.shardmark.driver.report.compare;

import java.util.Comparator;

/**
 * Where on a curve a run stands.
 *
 * @param warehouses scale; 0 if not known
 * @param terminals concurrent users; 0 if not known
 */
public record Place(int warehouses, int terminals) implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::warehouses).thenComparingInt(Place::terminals);

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }

  /** As tables show a number that may not be known. */
  static String text(int number) {
    return number == 0 ? "?" : String.valueOf(number);
  }

  public String terminalsText() {
    return text(terminals);
  }

  /** {@code 50 warehouses, 20 terminals}. */
  public String text() {
    return "%s %s, %s %s"
        .formatted(
            text(warehouses),
            warehouses == 1 ? "warehouse" : "warehouses",
            text(terminals),
            terminals == 1 ? "terminal" : "terminals");
  }
}
