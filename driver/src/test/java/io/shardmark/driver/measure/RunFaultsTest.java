package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.CannotGoOnException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunFaultsTest {
  private final List<String> told = new ArrayList<>();
  private final RunFaults faults =
      new RunFaults(() -> told.add("ended"), told::add, line -> told.add("note: " + line));

  @Test
  void namesWhatTheDriverDidNotExpect() {
    faults.abort("worker-1", new IllegalStateException("no such slot"));
    assertThat(told).hasSize(2).first().isEqualTo("ended");
    assertThat(told.get(1))
        .contains("worker-1")
        .contains("java.lang.IllegalStateException: no such slot");
  }

  @Test
  void tellsWhatTheUserCanMendInItsOwnWordsAlone() {
    faults.abort("worker-1", new CannotGoOnException("build with more rows"));
    assertThat(told.get(1)).endsWith(": build with more rows");
  }

  @Test
  void tellsTheFirstAlone() {
    faults.abort("worker-1", new IllegalStateException("first"));
    faults.abort("worker-2", new IllegalStateException("second"));
    assertThat(told).hasSize(2).noneMatch(line -> line.contains("second"));
  }
}
