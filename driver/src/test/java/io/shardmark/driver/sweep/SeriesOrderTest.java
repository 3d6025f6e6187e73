package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesOrderTest {
  private static List<String> order(List<String> databases, List<Integer> terminals, int repeat) {
    return SeriesOrder.points(databases, terminals, repeat).stream()
        .map(point -> point.database() + point.terminals() + "." + point.repetition())
        .toList();
  }

  @Test
  void databasesTakeTurnsAndTheFirstOneChanges() {
    assertThat(order(List.of("a", "b"), List.of(5, 10), 2))
        .containsExactly("a5.1", "b5.1", "b10.1", "a10.1", "b5.2", "a5.2", "a10.2", "b10.2");
  }

  @Test
  void threeDatabasesAreEachFirstEquallyOften() {
    List<String> order = order(List.of("a", "b", "c"), List.of(7), 3);

    assertThat(order)
        .containsExactly("a7.1", "b7.1", "c7.1", "b7.2", "c7.2", "a7.2", "c7.3", "a7.3", "b7.3");
  }

  @Test
  void everyPointHasADirectoryOfItsOwn() {
    List<Point> points = SeriesOrder.points(List.of("a", "b"), List.of(5, 10, 20_000), 3);

    assertThat(new HashSet<>(points.stream().map(Point::directory).toList())).hasSize(18);
    assertThat(points.get(0).directory()).isEqualTo("a/t0005-r1");
    assertThat(points.get(4).directory()).isEqualTo("a/t20000-r1");
  }
}
