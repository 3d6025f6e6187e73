package io.shardmark.driver.live.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TerminalFitnessTest {
  @Test
  void needsATerminalOfSomeType() {
    assertThat(TerminalFitness.whyNot(Map.of())).isEqualTo("TERM is not set");
    assertThat(TerminalFitness.whyNot(Map.of("TERM", "dumb"))).isEqualTo("TERM is dumb");
  }

  @Test
  void buildMachinesGetLinesUnlessTheyAskForMore() {
    Map<String, String> ci = Map.of("TERM", "dumb", "CI", "true");
    assertThat(TerminalFitness.whyNotUnasked(ci)).isEqualTo("CI is set");
    assertThat(TerminalFitness.whyNot(ci)).isEqualTo("TERM is dumb");
    assertThat(TerminalFitness.whyNotUnasked(Map.of("TERM", "dumb", "CI", "false")))
        .isEqualTo("TERM is dumb");
  }

  @Test
  void knowsAJobInTheBackground() {
    assertThat(TerminalFitness.isBackground("7 (java) S 1 7 5 34816 9 4194304")).isTrue();
    assertThat(TerminalFitness.isBackground("7 (a) b) (java) S 1 7 5 34816 7 4194304")).isFalse();
    assertThat(TerminalFitness.isBackground("7 (java) S 1 7 5 0 -1 4194304"))
        .as("without a terminal nobody stops it")
        .isFalse();
  }
}
