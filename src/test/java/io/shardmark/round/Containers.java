package io.shardmark.round;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.GenericContainer;

/** Containers for a test, which is skipped with its reason where they cannot be had. */
final class Containers {
  /** Held, because the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LOGGER = Logger.getLogger("org.testcontainers");

  private Containers() {}

  static void requireEngine() {
    // Every way to reach an engine that fails is logged at length; one line is enough.
    LOGGER.setLevel(Level.OFF);
    boolean runs = DockerClientFactory.instance().isDockerAvailable();
    LOGGER.setLevel(Level.WARNING);
    if (!runs) {
      skip("no container engine runs here");
    }
  }

  static void start(GenericContainer<?> container, String image) {
    try {
      container.start();
    } catch (ContainerFetchException e) {
      skip("the image %s cannot be had: %s".formatted(image, e.getMessage()));
    }
  }

  private static void skip(String reason) {
    System.err.println("skipped: " + reason);
    Assumptions.abort(reason);
  }
}
