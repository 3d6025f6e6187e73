package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms of {@code conn=embedded:...}: the one place that knows them all. */
public final class EmbeddedConn {
  private static final long LEAST_MEMORY_MB = 64;

  private EmbeddedConn() {}

  /**
   * Starts what {@code conn} asks for and waits until it takes connections.
   *
   * @param conn {@code embedded:postgres[?...]}, {@code embedded:replicated[?...]} or {@code
   *     embedded:sharded[?...]}
   * @param user a role that is created if need be; it owns the database but is no superuser
   * @param password that role's password from now on; not empty
   * @param database created if need be
   * @param connections how many connections the caller will open at once
   * @param progress gets one line for each step that takes time
   * @throws ConfigException if an option is wrong, a directory is in use, or this machine cannot
   *     run it
   * @throws java.io.UncheckedIOException if the disk fails
   */
  public static EmbeddedDatabase start(
      String conn,
      String user,
      Secret password,
      String database,
      int connections,
      Consumer<String> progress) {
    EmbeddedOptions options = EmbeddedOptions.parse(conn);
    BenchmarkRole role = new BenchmarkRole(user, password, database);
    return switch (options.form()) {
      case POSTGRES -> EmbeddedServer.start(options, role, connections, progress);
      case REPLICATED -> EmbeddedPair.start(options, role, connections, progress);
      case SHARDED -> EmbeddedCluster.start(options, role, connections, progress);
    };
  }

  /**
   * The same conn with an option of this value in place of the one that it may have.
   *
   * @param value not encoded
   */
  public static String with(String conn, String option, String value) {
    int mark = conn.indexOf('?');
    String form = mark < 0 ? conn : conn.substring(0, mark);
    Stream<String> others =
        mark < 0 ? Stream.empty() : Stream.of(conn.substring(mark + 1).split("&", -1));
    String encoded = value.replace("%", "%25").replace("&", "%26");
    return Stream.concat(
            others.filter(other -> !other.startsWith(option + "=")),
            Stream.of(option + "=" + encoded))
        .collect(Collectors.joining("&", form + "?", ""));
  }

  /**
   * The same conn, for one of several that are started together: with an equal part of the memory
   * that it would take alone, if it does not say how much.
   */
  public static String sharingMemory(String conn, int parts) {
    boolean says = Pattern.compile("[?&]memory=").matcher(conn).find();
    long part = EmbeddedServer.machineMemoryBytes() / 2 / parts;
    return says || parts == 1
        ? conn
        : with(conn, "memory", Math.max(LEAST_MEMORY_MB, part >> 20) + "MB");
  }

  /**
   * @throws ConfigException if an option is wrong
   */
  public static void check(String conn) {
    isKept(conn);
  }

  /**
   * True if what is loaded is still there the next time: the option {@code data} without {@code
   * keep=false}.
   *
   * @throws ConfigException if an option is wrong
   */
  public static boolean isKept(String conn) {
    return EmbeddedOptions.parse(conn).keep();
  }
}
