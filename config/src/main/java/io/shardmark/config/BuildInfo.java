package io.shardmark.config;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a program was built from, as the manifest of its jar says.
 *
 * @param version for example {@code 1.0.0}; {@code development} where the classes are in no jar
 * @param commit the source's commit, with {@code -dirty} where files differed from it; {@code
 *     unknown} if the build saw no repository
 */
public record BuildInfo(String version, String commit) {
  /** Attribute of the manifest that names the commit; an unset variable if there was none. */
  private static final String COMMIT = "SCM-Revision";

  private static final Pattern NAME_OF_COMMIT = Pattern.compile("[0-9a-f]{7,40}(-dirty)?");

  /**
   * @param program a class of the program
   * @throws UncheckedIOException if its jar cannot be read
   */
  public static BuildInfo of(Class<?> program) {
    Attributes manifest = manifest(program);
    String commit = orElse(manifest.getValue(COMMIT), "");
    return new BuildInfo(
        orElse(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION), "development"),
        NAME_OF_COMMIT.matcher(commit).matches() ? commit : "unknown");
  }

  /**
   * What {@code --version} prints, a line each.
   *
   * @param name for example {@code Shardmark}
   */
  public String[] lines(String name) {
    return new String[] {
      name + " " + version,
      "commit " + commit,
      "Java %s (%s), %s %s"
          .formatted(
              System.getProperty("java.runtime.version"),
              System.getProperty("java.vendor"),
              System.getProperty("os.name"),
              System.getProperty("os.arch"))
    };
  }

  private static Attributes manifest(Class<?> program) {
    CodeSource source = program.getProtectionDomain().getCodeSource();
    try {
      File file = new File(source.getLocation().toURI());
      if (file.isDirectory()) {
        return new Attributes();
      }
      try (JarFile jar = new JarFile(file)) {
        Manifest manifest = jar.getManifest();
        return manifest == null ? new Attributes() : manifest.getMainAttributes();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(source.getLocation() + " is no file", e);
    }
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value == null ? otherwise : value;
  }
}
