package io.shardmark.driver.sysbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DigitGroupsTest {
  @Test
  void makesTheTextsOfSysbench() {
    DigitGroups digits = new DigitGroups();
    SplittableRandom random = new SplittableRandom(7);
    assertThat(digits.text(random, DigitGroups.C_LENGTH)).matches("(\\d{11}-){9}\\d{11}");
    assertThat(digits.text(random, DigitGroups.PAD_LENGTH)).matches("(\\d{11}-){4}\\d{11}");
  }

  @Test
  void everyDigitOfEveryPlaceIsAsLikely() {
    DigitGroups digits = new DigitGroups();
    SplittableRandom random = new SplittableRandom(8);
    int draws = 20_000;
    int[][] counts = new int[DigitGroups.C_LENGTH][10];
    for (int i = 0; i < draws; i++) {
      String text = digits.text(random, DigitGroups.C_LENGTH);
      for (int at = 0; at < text.length(); at++) {
        if (text.charAt(at) != '-') {
          counts[at][text.charAt(at) - '0']++;
        }
      }
    }
    for (int at = 0; at < counts.length; at++) {
      if (at % 12 != 11) {
        for (int count : counts[at]) {
          assertThat(count).as("place %d", at).isCloseTo(draws / 10, within(300));
        }
      }
    }
  }
}
