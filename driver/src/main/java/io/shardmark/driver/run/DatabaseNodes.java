package io.shardmark.driver.run;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.processes.ListeningProcess;
import io.shardmark.driver.processes.ServerProcesses;
import io.shardmark.sql.jdbc.PostgresEndpoint;
import io.shardmark.sql.jdbc.PostgresSocketFactory;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the servers of a database are, as its URL and its endpoint name them. */
final class DatabaseNodes {
  /** The coordinator is in there only if Citus was given its address. */
  private static final String CITUS =
      "SELECT nodename, nodeport, groupid FROM pg_dist_node"
          + " WHERE noderole = 'primary' AND isactive ORDER BY groupid";

  /** {@code //host:port,host:port/}, and Oracle's {@code @host:port} without slashes. */
  private static final Pattern AUTHORITY = Pattern.compile("(?://|@)(?!//)(?:[^/@]*@)?([^/?;]+)");

  private DatabaseNodes() {}

  /**
   * Those of a PostgreSQL database, each once, with its process if that can be seen.
   *
   * @param connection borrowed; a transaction may be open on it
   * @return empty for other databases than PostgreSQL
   */
  static List<ServerProcesses.ProcessNode> of(
      ConnectionConfig config, Optional<ShardMap> shards, Connection connection)
      throws SQLException {
    if (config.database() != DatabaseKind.POSTGRES) {
      return List.of();
    }
    if (shards.isEmpty()) {
      return once(endpoints(config, "server"));
    }
    ShardMap map = shards.get();
    List<ServerProcesses.ProcessNode> endpoints =
        endpoints(config, map.isOfProxy() ? "proxy" : "endpoint");
    boolean here = endpoints.stream().anyMatch(node -> node.process().isPresent());
    List<ServerProcesses.ProcessNode> nodes = new ArrayList<>();
    if (map.isOfProxy()) {
      nodes.addAll(endpoints);
      for (Shard shard : map.shards()) {
        nodes.add(
            shard
                .socket()
                .map(path -> node("shard", path))
                .orElseGet(
                    () -> node("shard", new PostgresEndpoint(shard.host(), shard.port()), here)));
      }
    } else {
      nodes.addAll(citus(connection, here)); // first: it knows which one is the coordinator
      nodes.addAll(endpoints);
    }
    return once(nodes);
  }

  private static List<ServerProcesses.ProcessNode> endpoints(ConnectionConfig config, String role) {
    Optional<String> socket = PostgresSocketFactory.path(config.url());
    if (socket.isPresent()) {
      return List.of(node(role, socket.get()));
    }
    return PostgresEndpoint.of(config.url(), config.user()).stream()
        .flatMap(target -> target.endpoints().stream())
        .map(endpoint -> node(role, endpoint, true))
        .toList();
  }

  /** By the path of a Unix-domain socket. */
  private static ServerProcesses.ProcessNode node(String role, String socket) {
    return new ServerProcesses.ProcessNode(role, socket, ListeningProcess.at(Path.of(socket)));
  }

  private static List<ServerProcesses.ProcessNode> citus(Connection connection, boolean here)
      throws SQLException {
    List<ServerProcesses.ProcessNode> nodes = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CITUS)) {
      while (rows.next()) {
        nodes.add(
            node(
                rows.getInt(3) == 0 ? "coordinator" : "worker",
                new PostgresEndpoint(rows.getString(1), rows.getInt(2)),
                here));
      }
    }
    return nodes;
  }

  /**
   * @param here false if who names the place is on another machine, whose own names mean nothing on
   *     this one
   */
  private static ServerProcesses.ProcessNode node(
      String role, PostgresEndpoint place, boolean here) {
    boolean visible = here || !isLoopback(place.host());
    return new ServerProcesses.ProcessNode(
        role, place.toString(), visible ? ListeningProcess.at(place) : Optional.empty());
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** A server may be named by two addresses. */
  private static List<ServerProcesses.ProcessNode> once(List<ServerProcesses.ProcessNode> nodes) {
    Set<Object> seen = new HashSet<>();
    List<ServerProcesses.ProcessNode> once = new ArrayList<>();
    for (ServerProcesses.ProcessNode node : nodes) {
      boolean isNew = seen.add(node.address());
      if (node.process().isPresent()) {
        isNew &= seen.add(node.process().get());
      }
      if (isNew) {
        once.add(node);
      }
    }
    return once;
  }

  /** True if one of the URL's hosts is this machine. Asks the name service. */
  static boolean isHere(String url) {
    return hosts(url).stream().anyMatch(DatabaseNodes::isThisMachine);
  }

  /** The hosts of a URL; one without any means this machine, as pgjdbc has it. */
  private static List<String> hosts(String url) {
    Matcher matcher = AUTHORITY.matcher(url);
    if (!matcher.find()) {
      return List.of("localhost");
    }
    List<String> hosts = new ArrayList<>();
    for (String address : matcher.group(1).split(",", -1)) {
      String host =
          address.startsWith("[")
              ? address.replaceFirst("].*", "").substring(1)
              : address.replaceFirst(":.*", "");
      hosts.add(host.isEmpty() ? "localhost" : host);
    }
    return hosts;
  }

  private static boolean isThisMachine(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (ListeningProcess.isHere(address)) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException e) {
      return false; // a name that only the JDBC driver understands
    }
  }
}
