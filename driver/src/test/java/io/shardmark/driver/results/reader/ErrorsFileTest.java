package io.shardmark.driver.results.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.ErrorResult.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ErrorsFileTest {
  private static final String HEADER = "run,second,ttype,disposition,sqlstate,count,retried\n";

  @TempDir private Path temporary;
  private final ErrorsFile file = new ErrorsFile();
  private final List<String> missing = new ArrayList<>();

  private ErrorsFile read(String csv) throws IOException {
    file.read(Files.writeString(temporary.resolve("errors.csv"), csv), missing);
    return file;
  }

  @Test
  void classesAreSummedByTypeAndLinesByClass() throws IOException {
    read(
        HEADER
            + "1,0,PAYMENT,DEADLOCK,40P01,2,1\n"
            + "1,3,PAYMENT,DEADLOCK,40P01,1,1\n"
            + "1,3,NEW_ORDER,DEADLOCK,40P01,7,7\n"
            + "1,4,NEW_ORDER,CONNECTION_LOST,,1,0\n");
    assertThat(file.classes())
        .containsExactly(
            new ErrorResult(
                "NEW_ORDER", "DEADLOCK", "40P01", 7, 7, 0, List.of(new Example("", 3000))),
            new ErrorResult("PAYMENT", "DEADLOCK", "40P01", 3, 2, 0, List.of(new Example("", 0))),
            new ErrorResult(
                "NEW_ORDER", "CONNECTION_LOST", "", 1, 0, 0, List.of(new Example("", 4000))));
    ErrorTimeline timeline = file.timeline(1, 5);
    assertThat(timeline.widthSeconds()).isEqualTo(1);
    assertThat(timeline.lines())
        .containsExactly(
            new ErrorTimeline.ErrorLine(
                "DEADLOCK 40P01", List.of(2L, 0L, 0L, 8L, 0L), List.of(1L, 0L, 0L, 8L, 0L)),
            new ErrorTimeline.ErrorLine(
                "CONNECTION_LOST", List.of(0L, 0L, 0L, 0L, 1L), List.of(0L, 0L, 0L, 0L, 0L)));
    assertThat(missing).isEmpty();
  }

  @Test
  void aLongRunHasWiderBucketsAndLosesNothing() throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    for (int second = 0; second < 5000; second++) {
      csv.append("1,%d,PAYMENT,DEADLOCK,40P01,3,1\n".formatted(second));
    }
    ErrorTimeline timeline = read(csv.toString()).timeline(1, 5000);
    assertThat(timeline.widthSeconds()).isEqualTo(16);
    ErrorTimeline.ErrorLine line = timeline.lines().get(0);
    assertThat(line.raised()).hasSize(313).startsWith(48L);
    assertThat(line.raised().stream().mapToLong(Long::longValue).sum()).isEqualTo(15_000);
    assertThat(line.retried().stream().mapToLong(Long::longValue).sum()).isEqualTo(5_000);
  }

  @Test
  void bucketsAreAsWideAsThoseOfOtherCharts() throws IOException {
    read(HEADER + "1,9,PAYMENT,DEADLOCK,40P01,3,1\n1,70000,PAYMENT,DEADLOCK,40P01,1,0\n");
    ErrorTimeline timeline = file.timeline(256, 65_536);
    assertThat(timeline.widthSeconds()).isEqualTo(256);
    assertThat(timeline.lines().get(0).raised()).hasSize(256).startsWith(3L).endsWith(1L);
  }

  @Test
  void tooManyClassesArePutTogether() throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    for (int i = 0; i < 2000; i++) {
      csv.append("1,1,PAYMENT,OTHER_ERROR,%05d,%d,0\n".formatted(i, i < 10 ? 100 - i : 1));
    }
    read(csv.toString());
    assertThat(file.classes()).hasSizeLessThanOrEqualTo(501);
    List<ErrorTimeline.ErrorLine> lines = file.timeline(1, 10).lines();
    assertThat(lines).hasSize(ErrorsFile.MOST_LINES);
    assertThat(lines.get(0).name()).isEqualTo("OTHER_ERROR 00000");
    assertThat(lines.get(7).name()).isEqualTo("all others");
    assertThat(lines.stream().mapToLong(line -> line.raised().get(1)).sum()).isEqualTo(955 + 1990);
  }

  @Test
  void linesThatAreNoRowsAreCountedAndLeftOut() throws IOException {
    read(
        HEADER
            + "1,0,PAYMENT,DEADLOCK,40P01,1,0\n"
            + "java.lang.Error\n"
            + "1,-1,PAYMENT,DEADLOCK,40P01,1,0\n"
            + "1,1,PAYMENT,DEADLOCK,40P01,-5,0\n"
            + "1,1,PAYMENT,DEADL");
    assertThat(file.classes()).hasSize(1);
    assertThat(file.classes().get(0).count()).isEqualTo(1);
    assertThat(missing)
        .containsExactly(
            "data/errors.csv: 3 lines are no rows of numbers and left out.",
            "data/errors.csv ends in the middle of a line; the rest of that line was left out.");
  }

  @Test
  void anotherTableUnderItsNameIsSaid() throws IOException {
    read("a,b\n1,2\n");
    assertThat(file.timeline(1, 10).lines()).isEmpty();
    assertThat(missing)
        .containsExactly(
            "data/errors.csv has not all of its columns second, ttype, disposition, sqlstate,"
                + " count: it was not read.");
  }
}
