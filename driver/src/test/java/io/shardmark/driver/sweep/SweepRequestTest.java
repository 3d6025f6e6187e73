package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SweepRequestTest {
  private static List<Point> points(List<String> databases, List<Integer> terminals, int repeat) {
    return new SweepRequest(
            databases.stream()
                .map(name -> new SweepDatabase(name, "props." + name, Map.of(), "", Map.of()))
                .toList(),
            terminals,
            repeat,
            0,
            BuildMode.NEVER,
            false,
            Map.of(),
            null,
            0)
        .points();
  }

  private static List<String> order(List<String> databases, List<Integer> terminals, int repeat) {
    return points(databases, terminals, repeat).stream()
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
    List<Point> points = points(List.of("a", "b"), List.of(5, 10, 20_000), 3);

    assertThat(new HashSet<>(points.stream().map(Point::directory).toList())).hasSize(18);
    assertThat(points.get(0).directory()).isEqualTo("a/t0005-r1");
    assertThat(points.get(4).directory()).isEqualTo("a/t20000-r1");
  }
}
