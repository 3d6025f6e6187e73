package io.shardmark.proxy.users;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SCRAM verifiers in the shards' pg_authid. The first shard that answers says who may log in;
 * the others are read to find where they disagree, since a client's proof opens server connections
 * on all of them. Blocks on JDBC; for one thread at a time.
 */
final class ShardVerifiers {
  private static final Logger LOG = LoggerFactory.getLogger(ShardVerifiers.class);
  private static final int MOST_NAMES = 5;

  /** Only what a server would let in with a password now. */
  private static final String QUERY =
      "select rolname, rolpassword from pg_authid where rolcanlogin and rolpassword is not null"
          + " and (rolvaliduntil is null or rolvaliduntil > now())";

  private final ShardConnections connections;
  private final Map<Integer, String> lastFailures = new HashMap<>();

  /**
   * What was read.
   *
   * @param byRole of the first shard that answered; roles with MD5 passwords are not among them
   * @param problems where shards disagree, one line for each shard
   */
  record VerifierReading(Map<String, ScramVerifier> byRole, List<String> problems) {
    VerifierReading {
      byRole = Map.copyOf(byRole);
      problems = List.copyOf(problems);
    }
  }

  ShardVerifiers(ShardConnections connections) {
    this.connections = connections;
  }

  /**
   * Reads all shards that answer; empty if none does.
   *
   * @throws ConfigException if one answers that its verifiers may not be read
   */
  Optional<VerifierReading> read() {
    int first = -1;
    Map<String, ScramVerifier> authority = Map.of();
    List<String> problems = new ArrayList<>();
    for (int shard = 0; shard < connections.shardCount(); shard++) {
      Optional<Map<String, ScramVerifier>> found = read(shard);
      if (found.isEmpty()) {
        continue;
      }
      if (first < 0) {
        first = shard;
        authority = found.get();
      } else {
        differences(authority, found.get(), connections.shardName(first))
            .map(("shard " + connections.shardName(shard) + ": ")::concat)
            .ifPresent(problems::add);
      }
    }
    return first < 0 ? Optional.empty() : Optional.of(new VerifierReading(authority, problems));
  }

  private Optional<Map<String, ScramVerifier>> read(int shard) {
    try (Connection connection = connections.open(shard);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(QUERY)) {
      Map<String, ScramVerifier> read = new TreeMap<>();
      while (row.next()) {
        if (ScramVerifier.isVerifier(row.getString(2))) {
          read.put(row.getString(1), ScramVerifier.parse(row.getString(2)));
        }
      }
      lastFailures.remove(shard);
      return Optional.of(read);
    } catch (SQLException e) {
      String why = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
      if (SqlState.INSUFFICIENT_PRIVILEGE.code().equals(e.getSQLState())) {
        throw new ConfigException(
            "auth: shards: the login of shard "
                + connections.shardName(shard)
                + " cannot read the verifiers: "
                + why
                + "; make it a superuser or grant it select on pg_authid");
      }
      if (!why.equals(lastFailures.put(shard, why))) {
        LOG.warn("shard {}: the verifiers cannot be read: {}", connections.shardName(shard), why);
      }
      return Optional.empty();
    }
  }

  private static Optional<String> differences(
      Map<String, ScramVerifier> first, Map<String, ScramVerifier> other, String firstName) {
    TreeSet<String> names = new TreeSet<>();
    first.forEach(
        (role, verifier) -> {
          if (!verifier.equals(other.get(role))) {
            names.add(role);
          }
        });
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String some = String.join(", ", names.stream().limit(MOST_NAMES).toList());
    return Optional.of(
        "the verifiers of "
            + (names.size() > MOST_NAMES ? names.size() + " roles (" + some + ", ...)" : some)
            + " are not those of shard "
            + firstName
            + "; clients that log in as these cannot use it");
  }
}
