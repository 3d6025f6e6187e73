package io.shardmark.driver.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.recorder.RowFile;
import io.shardmark.driver.selfcheck.ClientReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientRecordingTest {
  @TempDir private Path temporary;

  @Test
  void eachReadingIsARowThatIsThereAtOnce() throws IOException {
    Path path = temporary.resolve("client.csv");
    try (RowFile file = RowFile.create(path, ClientRecording.HEADER)) {
      ClientRecording.write(
          file,
          7,
          1000,
          new ClientReading(
              1_000_000_000,
              250_000_000,
              2,
              3_000_000,
              2_500_000,
              50,
              80,
              100,
              OptionalLong.empty()));
      assertThat(Files.readString(path))
          .isEqualTo(
              "run,elapsed,cores_used,cores_available,gc_count,gc_ms,gc_max_ms,"
                  + "heap_used_bytes,heap_committed_bytes,rss_bytes\n"
                  + "7,1000,0.250,%d,2,3.000,2.500,50,80,100\n"
                      .formatted(Runtime.getRuntime().availableProcessors()));
    }
  }
}
