package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who runs the server's programs. PostgreSQL refuses to run as root, so root must become somebody
 * else: in its own user namespace where the kernel lets us (files then stay root's), by changing to
 * an unprivileged user where it does not, as in most containers.
 *
 * @param prefix what goes before a command
 * @param owner the user that the server's files must belong to; empty if they belong to us
 */
record ServerUser(List<String> prefix, String owner) {
  /** Tried in this order: the first is PostgreSQL's own user where it is installed. */
  private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");

  ServerUser {
    prefix = List.copyOf(prefix);
  }

  /**
   * Finds a way by trying.
   *
   * @throws ConfigException if we are root and there is none
   */
  static ServerUser find() {
    if (!isRoot()) {
      return new ServerUser(List.of(), "");
    }
    // PostgreSQL looks its user's name up; an image without the user "nobody" has none to find.
    if (ShellCommand.run(List.of("unshare", "-U", "id", "-un")).succeeded()) {
      return new ServerUser(List.of("unshare", "-U"), "");
    }
    for (ServerUser candidate : byChangingUser()) {
      if (ShellCommand.run(candidate.command(List.of("true"))).succeeded()) {
        return candidate;
      }
    }
    throw new ConfigException(
        "conn: PostgreSQL does not run as root and no way was found to start it as another user;"
            + " expected one of unshare with user namespaces allowed, setpriv, runuser or su, and"
            + " a user postgres or nobody; or run as an ordinary user");
  }

  private static List<ServerUser> byChangingUser() {
    List<ServerUser> candidates = new ArrayList<>();
    for (String user : UNPRIVILEGED) {
      String uid = ShellCommand.run(List.of("id", "-u", user)).output().strip();
      String gid = ShellCommand.run(List.of("id", "-g", user)).output().strip();
      candidates.add(
          new ServerUser(
              List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--"),
              user));
      candidates.add(new ServerUser(List.of("runuser", "-u", user, "--"), user));
      candidates.add(
          new ServerUser(List.of("su", "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", user), user));
    }
    return candidates;
  }

  private static boolean isRoot() {
    return ShellCommand.run(List.of("id", "-u")).output().strip().equals("0");
  }

  /** Whether the programs run as a user who may not read our private directories. */
  boolean isAnotherUser() {
    return !owner.isEmpty();
  }

  List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return all;
  }

  /** Gives a directory and all in it to the server's user. */
  void own(Path directory) throws IOException {
    if (!isAnotherUser()) {
      return;
    }
    UserPrincipal principal =
        directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setOwner(file, principal);
      }
    }
  }

  /**
   * @throws ConfigException if the server's user cannot get at a directory because of one above it
   */
  void checkReaches(Path directory, String what) {
    if (isAnotherUser()
        && !ShellCommand.run(command(List.of("test", "-x", directory.toString()))).succeeded()) {
      throw new ConfigException(
          "conn: "
              + what
              + " "
              + directory
              + " cannot be reached by the user "
              + owner
              + ", as whom PostgreSQL runs because it refuses root; choose another directory");
    }
  }
}
