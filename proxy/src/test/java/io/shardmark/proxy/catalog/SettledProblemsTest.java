package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SettledProblemsTest {
  @Test
  void whatIsGoneBeforeItSettlesIsNotTold() {
    SettledProblems problems = new SettledProblems(List.of());
    assertThat(problems.found(List.of("t has no partition for remainders 1, 2"))).isTrue();
    assertThat(problems.found(List.of("t has no partition for remainder 2"))).isTrue();
    assertThat(problems.found(List.of())).isFalse();
    assertThat(problems.settled()).isEmpty();
  }

  @Test
  void whatStaysIsToldOnce() {
    SettledProblems problems = new SettledProblems(List.of("known at the start"));
    assertThat(problems.found(List.of("known at the start"))).isFalse();
    assertThat(problems.found(List.of("known at the start", "a"))).isTrue();
    assertThat(problems.settled()).containsExactly("a");
    assertThat(problems.found(List.of("a"))).isFalse();
    assertThat(problems.settled()).isEmpty();
    assertThat(problems.found(List.of("a", "b"))).isTrue();
    assertThat(problems.settled()).containsExactly("b");
  }

  @Test
  void whatComesBackIsToldAgain() {
    SettledProblems problems = new SettledProblems(List.of());
    problems.found(List.of("a"));
    assertThat(problems.settled()).containsExactly("a");
    problems.found(List.of());
    assertThat(problems.found(List.of("a"))).isTrue();
    assertThat(problems.settled()).containsExactly("a");
  }
}
