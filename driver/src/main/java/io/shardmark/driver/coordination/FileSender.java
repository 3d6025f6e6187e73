package io.shardmark.driver.coordination;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sends the files of a result directory, a piece at a time. */
final class FileSender {
  private static final int PIECE_BYTES = 128 << 10;

  private FileSender() {}

  static void send(Path directory, Link link) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : List.of("run.properties", "summary.json")) {
      files.add(directory.resolve(name));
    }
    try (DirectoryStream<Path> data = Files.newDirectoryStream(directory.resolve("data"))) {
      data.forEach(files::add);
    }
    for (Path file : files) {
      if (Files.isRegularFile(file)) {
        sendFile(String.valueOf(directory.relativize(file)).replace('\\', '/'), file, link);
      }
    }
  }

  /** As many bytes as it has now: nobody writes to it any more. */
  private static void sendFile(String name, Path file, Link link) throws IOException {
    long left = Files.size(file);
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      link.send(new Message.FileBegin(name, left));
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (read < 0) {
          throw new IOException(file + " has become shorter");
        }
        link.send(new Message.Chunk(Arrays.copyOf(piece, read)));
        left -= read;
      }
    }
  }
}
