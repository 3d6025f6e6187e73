package io.shardmark.driver.run;

import io.shardmark.driver.processes.ListeningProcess;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a server runs on this machine, as far as its JDBC URL tells. */
final class ServerPlace {
  /** {@code //host:port,host:port/}, and Oracle's {@code @host:port} without slashes. */
  private static final Pattern AUTHORITY = Pattern.compile("(?://|@)(?!//)(?:[^/@]*@)?([^/?;]+)");

  private ServerPlace() {}

  /** True if one of the URL's hosts is this machine. Asks the name service. */
  static boolean isHere(String url) {
    return hosts(url).stream().anyMatch(ServerPlace::isThisMachine);
  }

  /** The hosts of a URL; one without any means this machine, as pgjdbc has it. */
  static List<String> hosts(String url) {
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
