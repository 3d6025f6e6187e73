package io.shardmark.driver.sweep;

import io.shardmark.config.Secret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard input of a process that a sweep started: a pipe that the sweep holds open. It may begin
 * with the properties, which hold a password and so are in no file. After that nothing comes; its
 * end says that the sweep has ended, however that ended. A run ends then as by SIGTERM, its files
 * whole.
 */
public final class ParentPipe {
  private static final String PROPERTY = "shardmark.parent";

  /** Only the end of the pipe says something. */
  private static final String WATCHED = "watched";

  /** It begins with the properties. */
  private static final String WITH_PROPERTIES = "properties";

  /** That of a process that SIGTERM ended. */
  static final int STATUS = 143;

  private static final int MOST_BYTES = 16 << 20;

  /** A process has one standard input; set before any verb runs. */
  private static volatile @Nullable Secret properties;

  private ParentPipe() {}

  /** The flag for Java that makes a process read its pipe. */
  static String flag(boolean withProperties) {
    return "-D" + PROPERTY + "=" + (withProperties ? WITH_PROPERTIES : WATCHED);
  }

  /** Writes what a process with that flag reads first. */
  static void write(Secret text, OutputStream pipe) throws IOException {
    byte[] bytes = text.value().getBytes(StandardCharsets.ISO_8859_1);
    DataOutputStream out = new DataOutputStream(pipe);
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }

  /** Reads the properties and begins to watch, if this process was started by a sweep. */
  public static void openIfThere() {
    String kind = System.getProperty(PROPERTY, "");
    if (kind.isEmpty()) {
      return;
    }
    if (kind.equals(WITH_PROPERTIES)) {
      try {
        properties = read(System.in);
      } catch (IOException e) {
        System.exit(STATUS); // the sweep ended before it wrote them
      }
    }
    Thread watch = new Thread(() -> awaitEnd(System.in), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** What {@link #write} wrote. */
  static Secret read(InputStream pipe) throws IOException {
    DataInputStream in = new DataInputStream(pipe);
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("%d bytes of properties".formatted(length));
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new Secret(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Text of the properties that the sweep wrote; they take the place of the file's. */
  public static Optional<Secret> properties() {
    return Optional.ofNullable(properties);
  }

  private static void awaitEnd(InputStream pipe) {
    try {
      while (pipe.read() >= 0) {
        // What comes means nothing; only the end does.
      }
    } catch (IOException e) {
      // A pipe that cannot be read has nobody at its other end.
    }
    System.exit(STATUS);
  }
}
