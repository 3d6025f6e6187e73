package io.shardmark.driver.acid;

import io.shardmark.sql.embedded.EmbeddedPart;
import java.util.List;

/** The crash of an embedded server's process. */
public record PartCrash(EmbeddedPart part) implements Crash {
  /** One for each part. */
  public static List<Crash> all(List<EmbeddedPart> parts) {
    return parts.stream().map(part -> (Crash) new PartCrash(part)).toList();
  }

  @Override
  public String name() {
    return part.name();
  }

  @Override
  public void crash() {
    part.kill().run();
  }

  @Override
  public void restart() {
    part.restart().run();
  }
}
