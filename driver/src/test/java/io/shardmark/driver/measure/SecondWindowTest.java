package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SecondWindowTest {
  private final List<String> closed = new ArrayList<>();
  private final SecondWindow window =
      new SecondWindow(
          () -> new Snapshot(TestTypes.TPCC, 0),
          0,
          (done, second) -> closed.add(second + ":" + done.transactions()));

  private long unplaced;

  private void add(long... seconds) {
    Sample sample = new Sample();
    sample.set(0, 0, 0, 1, Sample.pack(0, Disposition.COMMITTED, 0, 0, false, -1));
    for (long second : seconds) {
      unplaced += window.add(second, sample) ? 0 : 1;
    }
  }

  @Test
  void aRecordCountsForItsOwnSecondInWhateverOrderTheyCome() {
    add(9, 0, 4, 0);
    window.closeBefore(10);

    assertThat(closed)
        .containsExactly("0:2", "1:0", "2:0", "3:0", "4:1", "5:0", "6:0", "7:0", "8:0", "9:1");
    assertThat(unplaced).isZero();
  }

  @Test
  void whatComesAfterItsSecondIsInNoOther() {
    add(0);
    window.closeBefore(2);
    add(1, 2);
    window.closeBefore(3);

    assertThat(closed).containsExactly("0:1", "1:0", "2:1");
    assertThat(unplaced).isEqualTo(1);
  }

  @Test
  void holdsABoundedNumberOfSeconds() {
    add(0, 1000);

    assertThat(closed).startsWith("0:1", "1:0").hasSize(1001 - SecondWindow.MOST_OPEN);
  }

  @Test
  void closesWhatIsOpenAtTheEnd() {
    List<Long> open = new ArrayList<>();
    add(1, 3);
    window.forEachOpen((done, second) -> open.add(second));
    window.closeAll();
    window.closeAll();
    assertThat(open).containsExactly(1L, 3L);
    assertThat(closed).containsExactly("0:0", "1:1", "2:0", "3:1");
  }
}
