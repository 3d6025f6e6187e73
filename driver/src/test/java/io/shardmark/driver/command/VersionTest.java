package io.shardmark.driver.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BuildInfo;
import io.shardmark.driver.Main;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class VersionTest {
  /** They are most of what a start costs. */
  @Test
  void versionIsPrintedWithoutAnyLibrary() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                origin(Main.class) + File.pathSeparator + origin(BuildInfo.class),
                Main.class.getName(),
                "--version")
            .redirectErrorStream(true)
            .start();
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(shown).isZero();
    assertThat(shown).startsWith("Shardmark ").contains("\ncommit ", "\nJava ");
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
