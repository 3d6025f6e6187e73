package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FirstLineTest {
  @Test
  void leavesOutTheDetailsOfAServer() {
    assertThat(FirstLine.of(new ConfigException("ERROR: no such table \n  Position: 15")))
        .isEqualTo("ERROR: no such table");
  }

  @Test
  void saysThatThereIsNoMessage() {
    assertThat(FirstLine.of(new IllegalStateException())).isEqualTo("no message");
    assertThat(FirstLine.of(new IllegalStateException(" \n "))).isEqualTo("no message");
  }
}
