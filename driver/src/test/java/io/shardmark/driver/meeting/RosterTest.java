package io.shardmark.driver.meeting;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.Scale;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RosterTest {
  private static final Map<String, String> SETTINGS =
      Map.of("statementProfile", "benchmarksql", "retries", "0");

  private final Roster roster =
      new Roster(3, Scale.divided("warehouse", 10, 1, 10), driver(0, 1, 3));

  private static DriverIdentity driver(int index, int from, int to) {
    return driver(index, from, to, "Shardmark 1", SETTINGS);
  }

  private static DriverIdentity driver(
      int index, int from, int to, String product, Map<String, String> settings) {
    return new DriverIdentity(
        index, "host", product, new DriverIdentity.Share(from, to, 5), settings);
  }

  @Test
  void takesThoseThatFit() {
    assertThat(roster.join(driver(2, 7, 10))).isEmpty();
    assertThat(roster.isComplete()).isFalse();
    assertThat(roster.absent()).isEqualTo("driver 1");
    assertThat(roster.join(driver(1, 4, 6))).isEmpty();
    assertThat(roster.isComplete()).isTrue();
    assertThat(roster.gap()).isEmpty();
  }

  @Test
  void saysWhatDoesNotFit() {
    assertThat(roster.join(driver(3, 4, 6))).contains("expected a driverIndex from 0 to 2");
    assertThat(roster.join(driver(-1, 4, 6))).contains("expected a driverIndex from 0 to 2");
    assertThat(roster.join(driver(0, 4, 6))).contains("another driver has this driverIndex");
    assertThat(roster.join(driver(1, 4, 6, "Shardmark 2", SETTINGS)))
        .contains("is of version Shardmark 2, expected Shardmark 1 as driver 0 is");
    assertThat(
            roster.join(
                driver(
                    1, 4, 6, "Shardmark 1", Map.of("statementProfile", "batched", "retries", "0"))))
        .contains("has statementProfile=batched, expected benchmarksql as driver 0 has it");
    assertThat(
            roster.join(driver(1, 4, 6, "Shardmark 1", Map.of("statementProfile", "benchmarksql"))))
        .contains("has retries=(not set), expected 0 as driver 0 has it");
    assertThat(
            roster.join(
                driver(
                    1,
                    4,
                    6,
                    "Shardmark 1",
                    Map.of("statementProfile", "benchmarksql", "retries", "0", "new", "1"))))
        .contains("has settings that driver 0 does not know");
    assertThat(roster.join(driver(1, 3, 6)))
        .contains("has warehouses 3 to 6, which overlap 1 to 3 of driver 0");
    assertThat(roster.join(driver(1, 4, 11)))
        .contains("has warehouses 4 to 11, expected a part of 1 to 10");
    assertThat(roster.join(driver(1, 6, 4))).isPresent();
    assertThat(roster.absent()).isEqualTo("driver 1, driver 2");
  }

  @Test
  void seesWarehousesThatNobodyHas() {
    roster.join(driver(1, 4, 6));
    roster.join(driver(2, 8, 10));

    assertThat(roster.gap()).get().asString().startsWith("the drivers have 9 of 10 warehouses");
  }

  @Test
  void aScaleThatIsSharedHasNeitherOverlapsNorGaps() {
    Roster shared = new Roster(2, Scale.shared("branch", 10), driver(0, 1, 10));

    assertThat(shared.join(driver(1, 1, 10))).isEmpty();
    assertThat(shared.gap()).isEmpty();
  }
}
