package io.shardmark.driver.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class RowFileTest {
  @Test
  void writesNumbersAsLongDoes() throws IOException {
    FailingChannel channel = new FailingChannel(10_000);
    RowFile file = new RowFile(channel);
    StringBuilder expected = new StringBuilder();
    for (long value :
        new long[] {0, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000}) {
      file.number(value).comma();
      expected.append(value).append(',');
    }
    file.endRow();
    file.close();
    assertThat(channel.text()).isEqualTo(expected + "\n");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void writesMillisecondsRoundedToMicroseconds() throws IOException {
    FailingChannel channel = new FailingChannel(10_000);
    RowFile file = new RowFile(channel);
    file.millis(0).comma().millis(499).comma().millis(500).comma().millis(1_234_567_890).endRow();
    file.close();
    assertThat(channel.text()).isEqualTo("0.000,0.000,0.001,1234.568\n");
  }

  @Test
  void anUnfinishedRowIsNeverWritten() throws IOException {
    FailingChannel channel = new FailingChannel(10_000);
    RowFile file = new RowFile(channel);
    file.text("whole").endRow();
    file.text("half");
    file.flush();
    assertThat(channel.text()).isEqualTo("whole\n");
    file.text(" and half").endRow();
    file.flush();
    assertThat(channel.text()).isEqualTo("whole\nhalf and half\n");
  }

  @Test
  void rowsLongerThanTheBufferAreKeptWhole() throws IOException {
    FailingChannel channel = new FailingChannel(1_000_000);
    RowFile file = new RowFile(channel);
    String longRow = "x".repeat(300_000);
    file.text("a").endRow();
    file.text(longRow).endRow();
    file.close();
    assertThat(channel.text()).isEqualTo("a\n" + longRow + "\n");
  }

  @Test
  void aFullDiskLeavesWholeRowsWhereverItStrikes() throws IOException {
    String rows = "first\nsecond\nthird\n";
    for (int free = 0; free < rows.length(); free++) {
      FailingChannel channel = new FailingChannel(free);
      RowFile file = new RowFile(channel);
      file.text("first").endRow();
      file.text("second").endRow();
      file.text("third").endRow();
      assertThatThrownBy(file::flush).isInstanceOf(IOException.class);
      String expected = rows.substring(0, rows.substring(0, free).lastIndexOf('\n') + 1);
      assertThat(channel.text()).as("%d bytes free", free).isEqualTo(expected);
      assertThat(channel.isOpen()).isFalse();
      file.close();
    }
  }

  @Test
  void aLaterFailureKeepsWhatWasWrittenBefore() throws IOException {
    FailingChannel channel = new FailingChannel(9);
    RowFile file = new RowFile(channel);
    file.text("first").endRow();
    file.flush();
    file.text("second").endRow();
    assertThatThrownBy(file::flush).isInstanceOf(IOException.class);
    assertThat(channel.text()).isEqualTo("first\n");
  }
}
