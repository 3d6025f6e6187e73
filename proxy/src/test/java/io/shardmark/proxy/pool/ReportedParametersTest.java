package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportedParametersTest {
  private final ReportedParameters reported = new ReportedParameters();
  private final List<String> told = new ArrayList<>();

  @Test
  void whoWaitsIsToldOnce() {
    reported.whenKnown(() -> told.add("one"));
    reported.whenKnown(() -> told.add("other"));
    assertThat(told).isEmpty();
    reported.keep(Map.of("a", "1"));
    assertThat(told).containsExactlyInAnyOrder("one", "other");
    reported.keep(Map.of("a", "2"));
    assertThat(told).hasSize(2);
    assertThat(reported.latest()).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void whoComesLaterNeedNotWait() {
    reported.keep(Map.of("a", "1"));
    reported.whenKnown(() -> told.add("late"));
    assertThat(told).containsExactly("late");
  }

  @Test
  void whoHasLeftIsForgotten() {
    Runnable left = () -> told.add("left");
    reported.whenKnown(left);
    reported.whenKnown(() -> told.add("stays"));
    reported.forget(left);
    reported.keep(Map.of("a", "1"));
    assertThat(told).containsExactly("stays");
  }
}
