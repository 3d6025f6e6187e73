package io.shardmark.driver.live.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SparklineTest {
  @Test
  void drawsFromNothingToTheHighest() {
    assertThat(Sparkline.of(new double[] {0, 1, 4, 8}, 6, Glyphs.UNICODE)).isEqualTo(" ▁▄█  ");
    assertThat(Sparkline.of(new double[] {0, 1, 4, 8}, 4, Glyphs.ASCII)).isEqualTo(" .=%");
  }

  @Test
  void theLeastIsSeen() {
    assertThat(Sparkline.of(new double[] {0.001, 1000}, 2, Glyphs.UNICODE)).isEqualTo("▁█");
  }

  @Test
  void moreValuesThanCharactersAreAveraged() {
    assertThat(Sparkline.of(new double[] {0, 0, 4, 4, 8, 8}, 3, Glyphs.UNICODE)).isEqualTo(" ▄█");
  }

  @Test
  void nothingIsBlank() {
    assertThat(Sparkline.of(new double[] {}, 3, Glyphs.UNICODE)).isEqualTo("   ");
    assertThat(Sparkline.of(new double[] {0, 0}, 3, Glyphs.UNICODE)).isEqualTo("   ");
    assertThat(Sparkline.of(new double[] {1}, 0, Glyphs.UNICODE)).isEmpty();
  }
}
