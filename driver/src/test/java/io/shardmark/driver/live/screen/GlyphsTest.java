package io.shardmark.driver.live.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GlyphsTest {
  @Test
  void drawsFromNothingToTheHighest() {
    assertThat(Glyphs.UNICODE.curve(new double[] {0, 1, 4, 8}, 6)).isEqualTo(" ▁▄█  ");
    assertThat(Glyphs.ASCII.curve(new double[] {0, 1, 4, 8}, 4)).isEqualTo(" .=%");
  }

  @Test
  void theLeastIsSeen() {
    assertThat(Glyphs.UNICODE.curve(new double[] {0.001, 1000}, 2)).isEqualTo("▁█");
  }

  @Test
  void moreValuesThanCharactersAreAveraged() {
    assertThat(Glyphs.UNICODE.curve(new double[] {0, 0, 4, 4, 8, 8}, 3)).isEqualTo(" ▄█");
  }

  @Test
  void nothingIsBlank() {
    assertThat(Glyphs.UNICODE.curve(new double[] {}, 3)).isEqualTo("   ");
    assertThat(Glyphs.UNICODE.curve(new double[] {0, 0}, 3)).isEqualTo("   ");
    assertThat(Glyphs.UNICODE.curve(new double[] {1}, 0)).isEmpty();
  }
}
