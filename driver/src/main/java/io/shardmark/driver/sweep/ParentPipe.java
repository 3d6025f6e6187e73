package io.shardmark.driver.sweep;

import io.shardmark.config.Secret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Standard input of a process that a sweep started: a pipe that the sweep holds open. It begins
 * with the properties, if they hold a password and so are in no file. After that nothing comes; its
 * end says that the sweep has ended, however that ended. A run ends then as by SIGTERM, its files
 * whole.
 */
public final class ParentPipe {
  private static final String PROPERTY = "shardmark.parent";

  /** The flag for Java that makes a process read its pipe. */
  static final String FLAG = "-D" + PROPERTY + "=sweep";

  /** The properties of a process that reads its file. */
  static final Secret NO_PROPERTIES = new Secret("");

  /** That of a process that SIGTERM ended. */
  static final int STATUS = 143;

  private static final int MOST_BYTES = 16 << 20;

  /** A process has one standard input; set before any verb runs. */
  private static volatile Secret properties = NO_PROPERTIES;

  private ParentPipe() {}

  /** Writes what a process with the flag reads first. */
  static void write(Secret text, OutputStream pipe) throws IOException {
    byte[] bytes = text.value().getBytes(StandardCharsets.ISO_8859_1);
    DataOutputStream out = new DataOutputStream(pipe);
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }

  /** Reads the properties and begins to watch, if this process was started by a sweep. */
  public static void openIfThere() {
    if (System.getProperty(PROPERTY) == null) {
      return;
    }
    try {
      DataInputStream in = new DataInputStream(System.in);
      int length = in.readInt();
      if (length < 0 || length > MOST_BYTES) {
        throw new IOException("properties of %d bytes".formatted(length));
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      properties = new Secret(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      System.exit(STATUS); // the sweep ended before it wrote them
    }
    Thread watch = new Thread(() -> awaitEnd(System.in), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** Text of the properties that the sweep wrote; they take the place of the file's. */
  public static Optional<Secret> properties() {
    return Optional.of(properties).filter(text -> !text.value().isEmpty());
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
