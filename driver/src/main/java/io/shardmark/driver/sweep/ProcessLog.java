package io.shardmark.driver.sweep;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the processes of one point said. */
final class ProcessLog {
  private static final int TAIL_BYTES = 64 * 1024;
  private static final int LONGEST = 300;

  private ProcessLog() {}

  /** The line of a log that says best why its process failed: the last error, or the last line. */
  static String lastWords(Path log) throws IOException {
    List<String> lines = tail(log).lines().filter(line -> !line.isBlank()).toList();
    if (lines.isEmpty()) {
      return "it said nothing";
    }
    String words = lines.get(lines.size() - 1).strip();
    for (String line : lines) {
      if (line.startsWith("ERROR: ")) {
        words = line.substring("ERROR: ".length());
      }
    }
    return words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
  }

  private static String tail(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
