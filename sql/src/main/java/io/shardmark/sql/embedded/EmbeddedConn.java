package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.util.function.Consumer;

/** The forms of {@code conn=embedded:...}: the one place that knows them all. */
public final class EmbeddedConn {
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
   * @param progress told one line for each step that takes time
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
    if (ReplicatedOptions.isMeant(conn)) {
      return EmbeddedPair.start(conn, user, password, database, connections, progress);
    }
    return ShardedOptions.isMeant(conn)
        ? EmbeddedCluster.start(conn, user, password, database, connections, progress)
        : EmbeddedServer.start(conn, user, password, database, connections, progress);
  }

  /**
   * True if what is loaded is still there the next time: the option {@code data} without {@code
   * keep=false}.
   *
   * @throws ConfigException if an option is wrong
   */
  public static boolean isKept(String conn) {
    if (ReplicatedOptions.isMeant(conn)) {
      return ReplicatedOptions.parse(conn).server().keep();
    }
    return ShardedOptions.isMeant(conn)
        ? ShardedOptions.parse(conn).server().keep()
        : EmbeddedOptions.parse(conn).keep();
  }
}
