package io.shardmark.driver.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class BandTest {
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  @Test
  void needsSevenRuns() {
    assertThat(Band.after(Collections.nCopies(6, 1.0))).isEmpty();
    assertThat(Band.after(Collections.nCopies(7, 1.0))).isPresent();
  }

  @Test
  void isTheMedianAndFourScaledDeviationsAround() {
    // Median 100; the distances 10, 10, 0, 5, 5, 1, 9 have the median 5: 4 * 1.4826 * 5 = 29.652.
    Band band = Band.after(List.of(90.0, 110.0, 100.0, 95.0, 105.0, 99.0, 109.0)).orElseThrow();
    assertThat(band.low()).isCloseTo(70.348, EXACT);
    assertThat(band.high()).isCloseTo(129.652, EXACT);
    assertThat(band.side(70)).isEqualTo(Band.BandSide.BELOW);
    assertThat(band.side(100)).isEqualTo(Band.BandSide.INSIDE);
    assertThat(band.side(130)).isEqualTo(Band.BandSide.ABOVE);
  }

  @Test
  void isNotWidenedByOneBadNight() {
    Band band = Band.after(List.of(100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 5.0)).orElseThrow();
    assertThat(band.side(80)).isEqualTo(Band.BandSide.BELOW);
  }

  @Test
  void isOnePercentWideAtLeast() {
    Band band = Band.after(Collections.nCopies(9, 1000.0)).orElseThrow();
    assertThat(band).isEqualTo(new Band(990, 1010));
  }

  @Test
  void followsAChangeThatStays() {
    List<Double> values = new ArrayList<>(Collections.nCopies(20, 1000.0));
    values.addAll(Collections.nCopies(11, 500.0));
    assertThat(Band.after(values.subList(0, 29)).orElseThrow().side(500))
        .isEqualTo(Band.BandSide.BELOW);
    assertThat(Band.after(values).orElseThrow().side(500)).isEqualTo(Band.BandSide.INSIDE);
  }
}
