package io.shardmark.sql.jdbc;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FileFault;
import io.shardmark.config.ProgramDirectory;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds a JDBC driver by its class name: on the application's class path, else in {@code
 * lib/<db>/*.jar} next to the running jar or in the working directory, or in {@code ../lib/<db>},
 * which is where BenchmarkSQL has it as seen from its {@code run} directory.
 */
final class DriverLoader {
  private final Path workingDirectory;

  DriverLoader(Path workingDirectory) {
    this.workingDirectory = workingDirectory;
  }

  /**
   * @throws ConfigException if the class is nowhere, or is no JDBC driver
   */
  Driver load(DatabaseKind database, String className) {
    List<Path> folders = folders(database);
    List<URL> jars = jars(folders);
    ClassLoader loader = DriverLoader.class.getClassLoader();
    if (!isPresent(className, loader) && !jars.isEmpty()) {
      // Lives as long as the driver, that is, as long as the process.
      loader = new URLClassLoader("jdbc-" + database, jars.toArray(URL[]::new), loader);
    }
    try {
      return Class.forName(className, true, loader)
          .asSubclass(Driver.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      throw new ConfigException(
          "driver=%s: JDBC driver not found; searched the class path and %s; put the driver's jar into lib/%s%s"
              .formatted(
                  className,
                  folders.stream().map(Path::toString).collect(Collectors.joining(", ")),
                  database.propertyName(),
                  origin(className)));
    } catch (ClassCastException e) {
      throw new ConfigException("driver=" + className + ": is not a JDBC driver class");
    } catch (ReflectiveOperationException e) {
      throw new ConfigException("driver=" + className + ": cannot be made: " + e);
    }
  }

  /** Where the jar of a driver that we know comes from, for the end of a sentence. */
  private static String origin(String className) {
    return switch (className) {
      case "org.mariadb.jdbc.Driver" ->
          " (Maven Central: org.mariadb.jdbc:mariadb-java-client; Debian: libmariadb-java)";
      case "com.mysql.cj.jdbc.Driver" -> " (Maven Central: com.mysql:mysql-connector-j)";
      case "org.firebirdsql.jdbc.FBDriver" -> " (Maven Central: org.firebirdsql.jdbc:jaybird)";
      default -> "";
    };
  }

  private static boolean isPresent(String className, ClassLoader loader) {
    return loader.getResource(className.replace('.', '/') + ".class") != null;
  }

  private List<Path> folders(DatabaseKind database) {
    Set<Path> bases = new LinkedHashSet<>();
    ProgramDirectory.find().ifPresent(own -> bases.add(own.resolve("lib")));
    bases.add(workingDirectory.resolve("lib").toAbsolutePath().normalize());
    bases.add(workingDirectory.resolve("../lib").toAbsolutePath().normalize());
    List<Path> folders = new ArrayList<>();
    for (Path base : bases) {
      folders.add(base.resolve(database.propertyName()));
      if (database == DatabaseKind.MARIADB) {
        folders.add(base.resolve(DatabaseKind.MYSQL.propertyName()));
      }
    }
    return folders;
  }

  private static List<URL> jars(List<Path> folders) {
    List<URL> jars = new ArrayList<>();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
        for (Path file : files) {
          jars.add(file.toUri().toURL());
        }
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        throw new ConfigException(folder + ": cannot be read: " + FileFault.cause(e));
      }
    }
    return jars;
  }
}
