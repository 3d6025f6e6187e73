package io.shardmark.driver.sweep;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.Secret;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import io.shardmark.sql.embedded.EmbeddedConn;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The embedded databases of a sweep, which live as long as it does, so that all points find the
 * same warm servers and the data that was built once. The processes of the points reach them like
 * any server, by properties that they get through {@link ParentPipe}.
 */
final class SweepServers implements AutoCloseable {
  private final List<Database> started = new ArrayList<>();

  /** By the database that was started: what is read in place of its file. */
  private final Map<SweepDatabase, Secret> properties = new HashMap<>();

  private final Set<SweepDatabase> empty = new HashSet<>();

  /**
   * Starts what is embedded.
   *
   * @param connections how many one process opens at once at most
   * @throws io.shardmark.config.ConfigException if a server cannot start
   */
  void start(List<SweepDatabase> databases, int connections, Consumer<String> progress)
      throws IOException {
    List<SweepDatabase> embedded =
        databases.stream().filter(one -> one.properties().connection().isEmbedded()).toList();
    for (SweepDatabase database : embedded) {
      start(database, embedded.size(), connections, progress);
    }
  }

  private void start(SweepDatabase asked, int embedded, int connections, Consumer<String> progress)
      throws IOException {
    ConnectionConfig config = asked.properties().connection();
    if (!EmbeddedConn.isKept(config.url())) {
      empty.add(asked);
    }
    Database database =
        Database.open(
            config.at(EmbeddedConn.sharingMemory(config.url(), embedded), config.password()),
            connections,
            line -> progress.accept("%s: %s".formatted(asked.name(), line)));
    started.add(database);
    properties.put(asked, properties(asked.path(), database.config(), standbysOf(asked, database)));
  }

  /** The standbys that were started, for a workload that asks for them. */
  private static List<String> standbysOf(SweepDatabase asked, Database database) {
    boolean asks =
        Benchmarks.of(asked.properties()).keys().stream()
            .anyMatch(key -> key.key().equals(Endpoints.STANDBY_KEY));
    return asks ? database.endpoints().standbyUrls() : List.of();
  }

  /** The user's file with the server that was started in place of {@code embedded:}. */
  private static Secret properties(Path original, ConnectionConfig config, List<String> standbys)
      throws IOException {
    Properties server = new Properties();
    server.setProperty("db", config.database().propertyName());
    server.setProperty("driver", config.driverClass());
    server.setProperty("conn", config.url());
    server.setProperty("user", config.user());
    server.setProperty("password", config.password().value());
    if (!standbys.isEmpty()) {
      server.setProperty(Endpoints.STANDBY_KEY, String.join(" ", standbys));
    }
    StringWriter lines = new StringWriter();
    server.store(lines, null);
    return new Secret(
        Files.readString(original, StandardCharsets.ISO_8859_1)
            + "\n# the server that the sweep started:\n"
            + lines.toString().lines().skip(1).sorted().collect(Collectors.joining("\n"))
            + "\n");
  }

  /**
   * A command line for a database.
   *
   * @param more keys that win over those of the database
   */
  VerbProcesses.VerbProcess verb(String verb, SweepDatabase database, Map<String, String> more) {
    Map<String, String> keys = new LinkedHashMap<>(more);
    database.overrides().forEach(keys::putIfAbsent);
    Secret text = properties.get(database);
    if (text != null) {
      keys.remove(SweepRequest.CONN);
    }
    List<String> arguments = new ArrayList<>(List.of(verb, database.file()));
    keys.forEach((key, value) -> arguments.addAll(List.of(key, value)));
    return new VerbProcesses.VerbProcess(
        arguments, Objects.requireNonNullElse(text, ParentPipe.NO_PROPERTIES));
  }

  /** True if nothing can be in it, since it was started a moment ago and keeps nothing. */
  boolean isEmpty(SweepDatabase database) {
    return empty.contains(database);
  }

  /** The same, and something comes into it now. */
  boolean fill(SweepDatabase database) {
    return empty.remove(database);
  }

  @Override
  public void close() {
    started.forEach(Database::close);
    started.clear();
  }
}
