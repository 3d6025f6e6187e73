package io.shardmark.driver.coordination;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result files of one driver, written as they come. Only plain names below one directory, no
 * file twice, no byte more than was announced, and nothing that the disk has no room for. Used by
 * the thread of one connection.
 */
final class ReceivedFiles implements Closeable {
  /** A result has about 20, and one for each device that was observed. */
  private static final int MOST_FILES = 500;

  private static final Pattern NAME =
      Pattern.compile("(?:data/)?[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,200}");

  private final Path directory;
  private int files;
  private @Nullable OutputStream current;
  private long bytesLeft;

  /**
   * @param directory to be made
   */
  ReceivedFiles(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory.resolve("data"));
  }

  void begin(Message.FileBegin file) throws IOException {
    if (current != null) {
      throw new ProtocolException("a file before the last one was whole");
    }
    files++;
    if (files > MOST_FILES) {
      throw new ProtocolException("more than " + MOST_FILES + " files");
    }
    if (!NAME.matcher(file.name()).matches() || file.bytes() < 0) {
      throw new ProtocolException("a file of a name or length that no result has");
    }
    if (file.bytes() > Files.getFileStore(directory).getUsableSpace()) {
      throw new IOException(
          "no room for %s of %d bytes in %s".formatted(file.name(), file.bytes(), directory));
    }
    OutputStream opened =
        Files.newOutputStream(
            directory.resolve(file.name()),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    if (file.bytes() == 0) {
      opened.close();
      return;
    }
    current = opened;
    bytesLeft = file.bytes();
  }

  void append(byte[] bytes) throws IOException {
    OutputStream file = current;
    if (file == null || bytes.length > bytesLeft) {
      throw new ProtocolException("more bytes than were announced");
    }
    file.write(bytes);
    bytesLeft -= bytes.length;
    if (bytesLeft == 0) {
      file.close();
      current = null;
    }
  }

  /** Those were all. */
  void end() throws IOException {
    if (current != null) {
      throw new ProtocolException("the last file is not whole");
    }
  }

  /** Where they are. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    OutputStream file = current;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // It was not whole anyway.
      }
    }
  }
}
