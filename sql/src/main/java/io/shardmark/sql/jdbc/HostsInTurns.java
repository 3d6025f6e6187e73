package io.shardmark.sql.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts of a PostgreSQL URL, each first in its turn, so that the connections of a pool are
 * spread evenly. The other hosts follow it, for when it does not answer. Thread-safe.
 */
final class HostsInTurns {
  private static final Pattern URL = Pattern.compile("(jdbc:postgresql://)([^/?]+,[^/?]+)(.*)");
  private static final Pattern AT_RANDOM = Pattern.compile("(?<=[?&])loadBalanceHosts=true&?");

  private final List<String> urls;
  private final AtomicInteger turn = new AtomicInteger();

  HostsInTurns(String url) {
    urls = rotations(url);
  }

  /** True if the URL asks for several hosts at random, by pgjdbc's name for that. */
  static boolean areAskedFor(String url) {
    return AT_RANDOM.matcher(url).find();
  }

  static List<String> rotations(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      return List.of(url);
    }
    List<String> hosts = new ArrayList<>(List.of(parts.group(2).split(",")));
    String rest = AT_RANDOM.matcher(parts.group(3)).replaceAll("").replaceFirst("[?&]$", "");
    List<String> rotations = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      rotations.add(parts.group(1) + String.join(",", hosts) + rest);
      Collections.rotate(hosts, -1);
    }
    return List.copyOf(rotations);
  }

  String next() {
    return urls.get(Math.floorMod(turn.getAndIncrement(), urls.size()));
  }
}
